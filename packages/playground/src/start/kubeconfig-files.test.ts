import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatOwner, ownerHere, thisMachine } from './file-owner.ts';
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
  expect(readFileSync(path, 'utf8')).toMatch(/^# Made by the playground [^\n]+\ncontent$/);
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

/** A machine on which the process with this id runs, or has ended. */
function machineWhere(pid: number, isRunning: boolean) {
  const here = thisMachine();
  const name = isRunning ? `${pid}-1` : undefined;
  return { ...here, identify: (asked: number) => (asked === pid ? name : here.identify(asked)) };
}

function leaveFile(cluster: string, text = 'old'): string {
  const path = join(base, `${cluster}.kubeconfig`);
  writeFileSync(path, `${formatOwner(ownerHere(machineWhere(77, true), 77))}${text}`);
  return path;
}

test('KubeconfigFiles replaces the files of a playground that was killed, also of other clusters', () => {
  for (const cluster of ['rome', 'milan', 'turin']) leaveFile(cluster);
  writeFileSync(join(base, 'notes'), 'mine');
  using files = new KubeconfigFiles(base, ['rome', 'milan'], machineWhere(77, false));
  files.write('rome', 'new');
  expect(readdirSync(base).toSorted()).toEqual(['milan.kubeconfig', 'notes', 'rome.kubeconfig']);
  expect(readFileSync(files.pathOf('rome'), 'utf8')).toMatch(/\nnew$/);
});

test('KubeconfigFiles refuses the folder of a running playground, and says which', () => {
  const path = leaveFile('rome');
  expect(refusal(base, ['rome'], machineWhere(77, true))).toMatchObject({
    message: `Cannot use the folder "${base}": the playground with process id 77 uses it`,
    hint: 'Choose another folder with --dir, or end that playground: kill 77',
    exitCode: 1,
  });
  expect(readFileSync(path, 'utf8')).toMatch(/\nold$/);
});

test('KubeconfigFiles refuses the folder of a playground that it cannot see', () => {
  const path = leaveFile('rome');
  const elsewhere = { ...machineWhere(77, false), host: 'elsewhere' };
  expect(refusal(base, ['rome'], elsewhere)).toMatchObject({
    message: expect.stringContaining('which cannot be seen from here, may use it'),
    hint: expect.stringMatching(/^Move .* away if that playground has ended, or/),
  });
  expect(existsSync(path)).toBe(true);
});

test('KubeconfigFiles leaves a link alone, wherever it leads', () => {
  const target = leaveFile('naples');
  symlinkSync(target, join(base, 'rome.kubeconfig'));
  const machine = { ...machineWhere(77, false), host: 'elsewhere' };
  expect(refusal(base, ['rome'], machine)).toMatchObject({
    message: expect.stringContaining('it is there already, and not ours'),
  });
});

test.each([
  ['a link', true, (path: string) => symlinkSync(join(base, 'victim'), path)],
  ['another file', true, (path: string) => writeFileSync(path, 'foreign')],
  ['nothing', false, () => undefined],
])('KubeconfigFiles writes nothing when %s is in the place of its file', (_, isThere, put) => {
  writeFileSync(join(base, 'victim'), 'foreign');
  const files = new KubeconfigFiles(base, ['rome']);
  const path = files.pathOf('rome');
  rmSync(path);
  put(path);
  expect(() => files.write('rome', 'key')).toThrow(
    `Cannot write "${path}": it was replaced or removed`,
  );
  files[Symbol.dispose]();
  expect(existsSync(path)).toBe(isThere);
  for (const name of readdirSync(base)) {
    expect(readFileSync(join(base, name), 'utf8')).toBe('foreign');
  }
});

test.each(['file', 'file/below'])('KubeconfigFiles refuses "%s" for a folder', (path) => {
  writeFileSync(join(base, 'file'), '');
  const fact = 'it is not a folder, or a part of its path is not';
  expect(refusal(join(base, path), ['rome'])).toMatchObject({
    message: `Cannot use the folder "${join(base, path)}": ${fact}`,
    hint: 'Choose another folder with --dir',
  });
});

function refusal(folder: string, clusters: readonly string[], machine = thisMachine()): unknown {
  try {
    return new KubeconfigFiles(folder, clusters, machine);
  } catch (error) {
    return error;
  }
}
