import type { KubeObject, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { annotationsChanged, anyOf, generationChanged, labelsChanged } from './predicates.ts';

function object(metadata: KubeObject['metadata']): Stored<KubeObject> {
  const stored = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...stored, ...metadata } };
}

test.each([
  ['a new generation', { generation: 1 }, { generation: 2 }, true],
  ['the same generation', { generation: 1 }, { generation: 1, labels: { a: 'b' } }, false],
  [
    'the beginning of the deletion',
    { generation: 1 },
    { generation: 1, deletionTimestamp: 't' },
    true,
  ],
  ['a kind without generations', {}, {}, true],
])('generationChanged() decides on %s', (_, before, after, expected) => {
  expect(generationChanged(object(before), object(after))).toBe(expected);
});

test.each([
  ['equal ones in another order', { a: '1', b: '2' }, { b: '2', a: '1' }, false],
  ['none and an empty record', undefined, {}, false],
  ['another value', { a: '1' }, { a: '2' }, true],
  ['one more', { a: '1' }, { a: '1', b: '2' }, true],
  ['another name', { a: '1' }, { b: '1' }, true],
  ['names that every object inherits', { toString: 'x' }, { a: 'x' }, true],
])('labelsChanged() and annotationsChanged() decide on %s', (_, before, after, expected) => {
  const labels = [before, after].map((entries) => object(entries && { labels: entries }));
  const annotations = [before, after].map((entries) => object(entries && { annotations: entries }));
  expect(changed(labelsChanged, labels)).toBe(expected);
  expect(changed(annotationsChanged, annotations)).toBe(expected);
  expect(changed(labelsChanged, annotations)).toBe(false);
});

test('anyOf() holds when one of its predicates does', () => {
  const [plain, labelled] = [
    object({ generation: 1 }),
    object({ generation: 1, labels: { a: 'b' } }),
  ];
  expect(anyOf(generationChanged, labelsChanged)(plain, labelled)).toBe(true);
  expect(anyOf(generationChanged, labelsChanged)(plain, plain)).toBe(false);
});

function changed(predicate: typeof labelsChanged, pair: readonly Stored<KubeObject>[]): boolean {
  const [before = object({}), after = object({})] = pair;
  return predicate(before, after);
}
