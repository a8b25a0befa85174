import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ground-'));
  run('git', 'init', '--quiet');
  commit('packages/kube/src/client.ts', 'first');
  commit('.ci/verified-commit', run('git', 'rev-parse', 'HEAD'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { cwd: folder, encoding: 'utf8' });
}

function commit(file: string, content: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  run('git', 'add', '--all');
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  run('git', ...author, 'commit', '--quiet', '--no-verify', '--message', 'change');
}

/** Asks the function that decides whether the gate verifies the ground. */
function isVerificationDue(): boolean {
  const script = `source ${join(import.meta.dirname, '.ci/ground.sh')}; ground_changed && echo due`;
  return run('bash', '-c', `${script}; true`).trim() === 'due';
}

test('ground_changed is false while the ground is as recorded', () => {
  commit('packages/controllers/src/index.ts', 'the product');
  commit('docs/page.md', 'a page');
  expect(isVerificationDue()).toBe(false);
});

test.each(['packages/kube/src/client.ts', 'packages/runtime/src/new.ts', 'package-lock.json'])(
  'ground_changed is true after a change of %s',
  (file) => {
    commit(file, 'second');
    expect(isVerificationDue()).toBe(true);
  },
);

test('ground_changed is true when the recorded commit is not in this clone', () => {
  commit('.ci/verified-commit', '0123456789012345678901234567890123456789\n');
  expect(isVerificationDue()).toBe(true);
});

test('ground_changed is true when no commit is recorded', () => {
  run('git', 'rm', '--quiet', '.ci/verified-commit');
  expect(isVerificationDue()).toBe(true);
});
