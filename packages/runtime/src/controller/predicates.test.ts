import type { KubeObject, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { labelsChanged } from './predicates.ts';

function object(metadata: KubeObject['metadata']): Stored<KubeObject> {
  const stored = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...stored, ...metadata } };
}

test.each([
  ['equal ones in another order', { a: '1', b: '2' }, { b: '2', a: '1' }, false],
  ['none and an empty record', undefined, {}, false],
  ['another value', { a: '1' }, { a: '2' }, true],
  ['one more', { a: '1' }, { a: '1', b: '2' }, true],
  ['another name', { a: '1' }, { b: '1' }, true],
  ['names that every object inherits', { toString: 'x' }, { a: 'x' }, true],
])('labelsChanged() decides on %s', (_, before, after, expected) => {
  const labels = [before, after].map((entries) => object(entries && { labels: entries }));
  const annotations = [before, after].map((entries) => object(entries && { annotations: entries }));
  expect(changed(labelsChanged, labels)).toBe(expected);
  expect(changed(labelsChanged, annotations)).toBe(false);
});

function changed(predicate: typeof labelsChanged, pair: readonly Stored<KubeObject>[]): boolean {
  const [before = object({}), after = object({})] = pair;
  return predicate(before, after);
}
