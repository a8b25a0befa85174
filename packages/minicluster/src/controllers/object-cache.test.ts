import type { ConfigMap, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { ObjectCache } from './object-cache.ts';
import { stored } from './testing/stored.ts';

function version(resourceVersion: string, uid = 'uid-1'): Stored<ConfigMap> {
  const object = stored<ConfigMap>('ConfigMap', { metadata: { name: 'one' } });
  return { ...object, metadata: { ...object.metadata, resourceVersion, uid } };
}

function watched() {
  const cache = new ObjectCache<ConfigMap>();
  const seen: string[] = [];
  cache.onChange((current, previous) => {
    const text = (object: Stored<ConfigMap> | undefined) => object?.metadata.resourceVersion ?? '-';
    seen.push(`${text(previous)} to ${text(current)}`);
  });
  return { cache, seen };
}

test('ObjectCache tells of a change once, and ignores what is older than it knows', () => {
  const { cache, seen } = watched();
  for (const one of ['2', '2', '10', '9']) cache.put(version(one));
  expect(seen).toEqual(['- to 2', '2 to 10']);
});

test('ObjectCache does not bring back what was deleted, whatever events are late', () => {
  const { cache, seen } = watched();
  cache.put(version('2'));
  cache.forget(version('2'));
  cache.put(version('3'));
  cache.remove(version('4'));
  cache.put(version('5', 'uid-2'));
  expect(seen).toEqual(['- to 2', '2 to -', '- to 5']);
});

test('ObjectCache.learn() does not bring back what the watch said is gone', () => {
  const { cache, seen } = watched();
  cache.put(version('2'));
  cache.remove(version('4'));
  cache.learn(version('3'));
  cache.learn(version('5', 'uid-2'));
  expect(seen).toEqual(['- to 2', '2 to -', '- to 5']);
});

test('ObjectCache shows a successor of the same name as another object', () => {
  const { cache, seen } = watched();
  cache.put(version('2'));
  cache.put(version('3', 'uid-2'));
  expect(seen).toEqual(['- to 2', '2 to -', '- to 3']);
});

test('ObjectCache.replaceAll() drops what the list lacks, unless it is newer than the list', () => {
  const { cache, seen } = watched();
  cache.put(version('7'));
  cache.replaceAll([], '6');
  expect(seen).toEqual(['- to 7']);
  cache.replaceAll([], '8');
  expect(seen).toEqual(['- to 7', '7 to -']);
});
