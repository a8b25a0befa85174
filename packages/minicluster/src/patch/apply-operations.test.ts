import { expect, test } from 'vitest';
import { applyOperations } from './apply-operations.ts';

test('applyOperations() lets a replace set a member that is not there', () => {
  const set = [{ op: 'replace', path: '/spec/a~1b', value: 1 }] as const;
  expect(applyOperations({ spec: {} }, set)).toEqual({ spec: { 'a/b': 1 } });
});

test('applyOperations() sees what the operations before have done', () => {
  const operations = [
    { op: 'add', path: '/spec', value: {} },
    { op: 'replace', path: '/spec/a', value: 1 },
  ] as const;
  expect(applyOperations({}, operations)).toEqual({ spec: { a: 1 } });
});

test.each([
  ['an item that is not there', { list: [1] }, '/list/1'],
  ['a member of nothing', {}, '/spec/a'],
])('applyOperations() refuses to replace %s', (_, document, path) => {
  expect(() => applyOperations(document, [{ op: 'replace', path, value: 2 }])).toThrow();
});
