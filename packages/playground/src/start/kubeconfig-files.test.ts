import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KubeconfigFiles } from './kubeconfig-files.ts';

let base = '';

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'kubeconfig-files-'));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

test('KubeconfigFiles makes the folder and files that only their owner can read', () => {
  using files = new KubeconfigFiles(join(base, 'a/b'), ['rome', 'milan']);
  files.write('rome', 'content');
  const path = join(base, 'a/b/rome.kubeconfig');
  expect(files.pathOf('rome')).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe('content');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(base, 'a')).mode & 0o777).toBe(0o700);
});

test('KubeconfigFiles takes away all it made, however often it is disposed', () => {
  const files = new KubeconfigFiles(join(base, 'a/b'), ['rome']);
  files[Symbol.dispose]();
  files[Symbol.dispose]();
  expect(readdirSync(base)).toEqual([]);
});

test('KubeconfigFiles leaves folders and files of others alone', () => {
  mkdirSync(join(base, 'a'));
  const files = new KubeconfigFiles(join(base, 'a/b'), ['rome']);
  writeFileSync(join(base, 'a/b/notes'), 'mine');
  files[Symbol.dispose]();
  expect(readdirSync(join(base, 'a/b'))).toEqual(['notes']);
});

test('KubeconfigFiles refuses a file that is there, and leaves nothing half-made', () => {
  writeFileSync(join(base, 'milan.kubeconfig'), 'foreign');
  expect(refusal(base, ['rome', 'milan'])).toMatchObject({
    message: `Cannot write "${join(base, 'milan.kubeconfig')}": it is there already, and not ours`,
    hint: 'Move it away, or choose another folder with --dir',
    exitCode: 1,
  });
  expect(readFileSync(join(base, 'milan.kubeconfig'), 'utf8')).toBe('foreign');
  expect(existsSync(join(base, 'rome.kubeconfig'))).toBe(false);
});

test.each(['file', 'file/below'])('KubeconfigFiles refuses "%s" for a folder', (path) => {
  writeFileSync(join(base, 'file'), '');
  const fact = 'it is not a folder, or a part of its path is not';
  expect(refusal(join(base, path), ['rome'])).toMatchObject({
    message: `Cannot use the folder "${join(base, path)}": ${fact}`,
    hint: 'Choose another folder with --dir',
  });
});

function refusal(folder: string, clusters: readonly string[]): unknown {
  try {
    return new KubeconfigFiles(folder, clusters);
  } catch (error) {
    return error;
  }
}
