import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepEqual } from './json.ts';
import { applyMergePatch, diffMergePatch } from './merge-patch.ts';

const keys = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');

const leaves = fc.constantFrom(true, 1, 'x');

const { value: documents } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaves, tie('list'), tie('object')),
  list: fc.array(fc.oneof(fc.constant(null), tie('value')), { maxLength: 3 }),
  object: fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
}));

test('applyMergePatch() of diffMergePatch() gets from one document to the other', () => {
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      const patch = diffMergePatch(before, after);
      expect(deepEqual(applyMergePatch(before, patch), after)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('applyMergePatch() twice is the same as once', () => {
  fc.assert(
    fc.property(documents, documents, (target, patch) => {
      const once = applyMergePatch(target, patch);
      expect(applyMergePatch(once, patch)).toBe(once);
    }),
    { numRuns: 500 },
  );
});
