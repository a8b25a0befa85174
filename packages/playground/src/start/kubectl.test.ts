import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { explainKubectl, findKubectl } from './kubectl.ts';

let base = '';

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'kubectl-'));
  for (const folder of ['empty', 'programs', 'text', 'folder/kubectl']) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  for (const folder of ['programs', 'text']) writeFileSync(join(base, folder, 'kubectl'), '');
  chmodSync(join(base, 'programs/kubectl'), 0o755);
  chmodSync(join(base, 'text/kubectl'), 0o644);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

const pathOf = (...folders: string[]) =>
  folders.map((folder) => join(base, folder)).join(delimiter);

test('findKubectl() finds the program on the PATH, and looks no further', async () => {
  const kubectl = await findKubectl(pathOf('empty', 'programs'), () =>
    Promise.reject(new Error('Cannot look further')),
  );
  expect(kubectl).toEqual({ found: 'on the PATH' });
});

test.each([undefined, '', 'empty', 'text', 'folder'])(
  'findKubectl() with "%s" for a PATH finds the one that was built, or where it would be',
  async (folder) => {
    const path = folder && pathOf(folder);
    const builtPath = join(base, 'programs/kubectl');
    expect(await findKubectl(path, async () => builtPath)).toEqual({ found: 'built', builtPath });
    const missing = join(base, 'empty/kubectl');
    expect(await findKubectl(path, async () => missing)).toEqual({
      found: 'nowhere',
      builtPath: missing,
    });
  },
);

test('explainKubectl() says nothing when it is on the PATH', () => {
  expect(explainKubectl({ found: 'on the PATH' }, 80)).toEqual([]);
});

test.each([
  ['built', 'has built:'],
  ['nowhere', 'let "npm run kubernetes" build it'],
] as const)('explainKubectl() of one that is %s gives an alias to copy', (found, fact) => {
  const lines = explainKubectl({ found, builtPath: '/cache/kubectl' }, 1_000);
  expect(lines[0]).toContain(fact);
  expect(lines.slice(1)).toEqual(["  alias kubectl='/cache/kubectl'", '']);
});
