import { expect, test } from 'vitest';
import type { Kubeconfig } from './kubeconfig.ts';
import { mergeKubeconfigs } from './merge-kubeconfigs.ts';

const nothing: Kubeconfig = { clusters: [], users: [], contexts: [] };

test('mergeKubeconfigs() lets the first use of a name win, as a whole', () => {
  const merged = mergeKubeconfigs([
    { ...nothing, users: [{ name: 'red', user: { token: 'first' } }] },
    {
      ...nothing,
      users: [
        { name: 'red', user: { token: 'second', as: 'root' } },
        { name: 'blue', user: { token: 'b' } },
      ],
    },
  ]);
  expect(merged.users).toEqual([
    { name: 'red', user: { token: 'first' } },
    { name: 'blue', user: { token: 'b' } },
  ]);
});

test('mergeKubeconfigs() takes the first current context that is set', () => {
  const configs = ['', 'a', 'b'].map((name) => ({ ...nothing, 'current-context': name }));
  expect(mergeKubeconfigs([nothing, ...configs])['current-context']).toBe('a');
});

test('mergeKubeconfigs() may combine a context of one file with a user of another', () => {
  const merged = mergeKubeconfigs([
    { ...nothing, contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }] },
    { ...nothing, clusters: [{ name: 'c', cluster: {} }], users: [{ name: 'u', user: {} }] },
  ]);
  expect(merged).toMatchObject({
    contexts: [{ name: 'x' }],
    clusters: [{ name: 'c' }],
    users: [{ name: 'u' }],
  });
});

test('mergeKubeconfigs() merges preferences and extensions by name', () => {
  const one = { name: 'a', extension: 1 };
  const other = { name: 'a', extension: 2 };
  const more = { name: 'b', extension: 3 };
  const merged = mergeKubeconfigs([
    { ...nothing, extensions: [one], preferences: { colors: false, extensions: [one] } },
    { ...nothing, extensions: [other, more], preferences: { colors: true, extensions: [more] } },
  ]);
  expect(merged.extensions).toEqual([one, more]);
  expect(merged.preferences).toEqual({ colors: true, extensions: [one, more] });
});

test('mergeKubeconfigs() makes an empty kubeconfig of none', () => {
  expect(mergeKubeconfigs([])).toEqual({ ...nothing, apiVersion: 'v1', kind: 'Config' });
});
