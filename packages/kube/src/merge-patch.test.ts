import { expect, test } from 'vitest';
import { applyMergePatch, diffMergePatch } from './merge-patch.ts';

// The table of RFC 7386, appendix A.
test.each<[unknown, unknown, unknown]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('applyMergePatch() makes of %j with %j the result %j', (target, patch, expected) => {
  expect(applyMergePatch(target, patch)).toEqual(expected);
});

test('applyMergePatch() leaves its arguments alone and shares what did not change', () => {
  const target = { metadata: { labels: { a: '1' } }, spec: { replicas: 1 } };
  const before = JSON.stringify(target);
  const patched = applyMergePatch(target, { spec: { replicas: 2 } });
  expect(patched).toEqual({ metadata: { labels: { a: '1' } }, spec: { replicas: 2 } });
  expect(patched.metadata).toBe(target.metadata);
  expect(JSON.stringify(target)).toBe(before);
});

test.each([[{}], [{ a: { b: [1] } }], [{ missing: null }], [{ a: {} }], [{ a: undefined }]])(
  'applyMergePatch() returns the target itself where %j changes nothing',
  (patch) => {
    const target = { a: { b: [1] } };
    expect(applyMergePatch(target, patch)).toBe(target);
  },
);

test('applyMergePatch() takes "__proto__" for a member like any other', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"x":1}}');
  const patched: object = applyMergePatch({}, patch);
  expect(JSON.stringify(patched)).toBe(JSON.stringify(patch));
  expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
});

test.each<[string, unknown, unknown, unknown]>([
  ['nothing', { a: [1] }, { a: [1] }, {}],
  ['a new member', { a: 1 }, { a: 1, b: 2 }, { b: 2 }],
  ['a lost member', { a: 1, b: 2 }, { b: 2 }, { a: null }],
  ['a nested change', { a: { b: 1, c: 2 } }, { a: { b: 3, c: 2 } }, { a: { b: 3 } }],
  ['a list, whole', { a: [1, 2] }, { a: [1, 2, 3] }, { a: [1, 2, 3] }],
  ['an object in place of a text', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['a member that became undefined', { a: 1 }, { a: undefined }, { a: null }],
  ['a member that became null', { a: 1 }, { a: null }, { a: null }],
  ['no member that is null for the first time', {}, { a: null }, {}],
  ['another document', [1], [2], [2]],
])('diffMergePatch() writes %s', (_, before, after, patch) => {
  expect(diffMergePatch(before, after)).toEqual(patch);
});
