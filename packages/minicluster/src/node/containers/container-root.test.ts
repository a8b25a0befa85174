import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ContainerRoot } from './container-root.ts';

test('ContainerRoot replaces what changed, and removes what is gone', () => {
  using root = new ContainerRoot();
  const before = new Map([
    ['/config/a', 'one'],
    ['/config/b', 'two'],
  ]);
  root.write(before);
  root.replace(before, new Map([['/config/a', 'three']]));
  expect(readFileSync(join(root.path, 'config/a'), 'utf8')).toBe('three');
  expect(existsSync(join(root.path, 'config/b'))).toBe(false);
});

test('ContainerRoot writes nothing once it is removed', () => {
  const root = new ContainerRoot();
  root[Symbol.dispose]();
  root.replace(new Map(), new Map([['/config/a', 'late']]));
  expect(existsSync(root.path)).toBe(false);
});
