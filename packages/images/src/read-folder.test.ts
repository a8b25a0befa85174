import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFolder } from './read-folder.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-folder-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('readFolder() keeps modes, and symlinks as they are', async () => {
  mkdirSync(join(folder, 'bin'));
  chmodSync(join(folder, 'bin'), 0o750);
  writeFileSync(join(folder, 'bin/run'), 'go');
  chmodSync(join(folder, 'bin/run'), 0o700);
  symlinkSync('../../nowhere', join(folder, 'bin/away'));
  const run = { file: join(folder, 'bin/run'), start: 0, size: 2 };
  expect(await readFolder(folder, 'app')).toEqual([
    { type: 'folder', path: 'app/bin', mode: 0o750 },
    { type: 'symlink', path: 'app/bin/away', target: '../../nowhere' },
    { type: 'file', path: 'app/bin/run', mode: 0o700, content: [run] },
  ]);
});

test('readFolder() does not walk through a symlink to a folder', async () => {
  const outside = join(folder, 'outside');
  const inside = join(folder, 'inside');
  mkdirSync(outside);
  mkdirSync(inside);
  writeFileSync(join(outside, 'secret'), '');
  symlinkSync(outside, join(inside, 'away'));
  expect(await readFolder(inside)).toEqual([{ type: 'symlink', path: 'away', target: outside }]);
});

test('readFolder() refuses what an image cannot hold', async () => {
  const server = createServer().listen(join(folder, 'socket'));
  await once(server, 'listening');
  await expect(readFolder(folder)).rejects.toThrow('it is neither a file, a folder nor a symlink');
  server.close();
});
