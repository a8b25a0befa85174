import { expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { complete } from './complete.ts';

test.each([
  [[''], [...new Set(commands.map(({ path: [verb = ''] }) => verb))].toSorted()],
  [['off'], ['offer', 'offload']],
  [['--'], ['--help']],
  [['unoffload', ''], ['namespace']],
  [['info', ''], ['peer']],
  [
    ['get', 'vn', '-o', ''],
    ['table', 'wide', 'json', 'yaml', 'name'],
  ],
  [['get', 'vn', '--out'], ['--output']],
  [
    ['create', 'vn', 'x', '--re'],
    ['--remote-cluster-id', '--resource', '--resource-slice-name'],
  ],
  [
    ['offload', 'ns', 'a', '--pod-offloading-strategy', ''],
    ['LocalAndRemote', 'Local', 'Remote'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['completion', 'bash', ''], []],
  [['create', 'vn', 'x', '--cpu', ''], []],
  [['nope', ''], []],
])('complete() offers for %j: %j', (words, candidates) => {
  expect(complete(commands, words)).toEqual({ type: 'words', words: candidates });
});

test.each([
  [['get', 'vn', ''], 'virtualnodes'],
  [['delete', 'vn', 'my'], 'virtualnodes'],
  [['offload', 'ns', 'a', ''], 'namespaces'],
  [['get', 'vn', '-n', ''], 'namespaces'],
  [['info', '--context', ''], 'contexts'],
  [['info', '--kubeconfig', ''], 'files'],
])('complete() asks the world for %j: %s', (words, things) => {
  expect(complete(commands, words)).toMatchObject({ type: 'things', of: things });
});
