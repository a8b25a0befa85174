import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock } from '@liqo/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Kubernetes } from '../kubernetes.ts';
import { type PlayOptions, playHere } from './testing/play-here.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-start-'));
  writeFileSync(join(folder, 'milan.kubeconfig'), 'foreign');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const nothing: PlayOptions['provide'] = () => Promise.reject(new Error('Nothing is to be started'));

test('runStart() prints its flags on stdout, and starts nothing', async () => {
  const played = await playHere(['--help', '--once'], { provide: nothing });
  expect(played).toMatchObject({ exitCode: 0, stderr: '', files: [] });
  expect(played.stdout).toContain('--clusters N');
});

test.each([
  ['an unknown flag', ['--onec'], 2, /unknown flag "--onec"\. See .*: npm start -- --help$/],
  ['a word', ['now'], 2, /"now" is not a flag\. See/],
  ['too many clusters', ['--clusters', '99'], 2, /from 2 to 8\. See/],
  ['a taken file', ['--dir', 'F'], 1, /it is there already, and not ours\. Move it away, or/],
  [
    'a file for a folder',
    ['--dir', 'F/milan.kubeconfig'],
    1,
    /it is not a folder, or a part of its path is not\. Choose/,
  ],
  [
    'a folder that nobody can make',
    ['--dir', '/proc/none'],
    1,
    /no folder can be made there\. Choose another/,
  ],
])('runStart() refuses %s in one paragraph, and makes nothing', async (_, words, code, said) => {
  const args = words.map((word) => word.replace(/^F/, folder));
  const { exitCode, stdout, stderr, files } = await playHere(args, { provide: nothing });
  expect({ exitCode, stdout, files }).toEqual({ exitCode: code, stdout: '', files: [] });
  expect(stderr).toMatch(/^✖ Cannot [^\n]+\n$/);
  expect(stderr.trim()).toMatch(said);
  expect(readdirSync(folder)).toEqual(['milan.kubeconfig']);
});

test('runStart() says which step failed, why, and what to do', async () => {
  const cause = new Error('No\nmemory\u001b[31m');
  const kubernetes: Kubernetes<Minicluster> = {
    clock: systemClock,
    website: {},
    startCluster: (name) => Promise.reject(new Error(`Cannot start "${name}"`, { cause })),
    connect: async () => undefined,
    install: async () => undefined,
  };
  const provide: PlayOptions['provide'] = (_, use) => use(kubernetes);
  const { exitCode, stderr, files } = await playHere([], { provide });
  expect({ exitCode, files }).toEqual({ exitCode: 1, files: [] });
  expect(stderr).toBe(
    '✖ Cannot start the clusters rome and milan: cannot start "rome": No memory. Check that there is free memory and that programs may listen on 127.0.0.1, and try again\n',
  );
});
