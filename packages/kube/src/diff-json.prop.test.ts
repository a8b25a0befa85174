import fc from 'fast-check';
import oracle from 'fast-json-patch';
import { expect, test } from 'vitest';
import { diffJson } from './diff-json.ts';
import { deepCopy, deepEqual } from './json.ts';
import { applyJsonPatch } from './json-patch.ts';

const keys = fc.constantFrom('a', 'b', 'c/d', '~', '', '0');

const { value: documents } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, 1, 'x'), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
}));

test('applyJsonPatch() of diffJson() gets from one document to the other', () => {
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      expect(deepEqual(applyJsonPatch(before, diffJson(before, after)), after)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('diffJson() writes patches that fast-json-patch understands', () => {
  fc.assert(
    fc.property(documents, documents, (before, after) => {
      const patch = deepCopy(diffJson(before, after)) as oracle.Operation[];
      expect(oracle.applyPatch(before, patch, true, false).newDocument).toEqual(after);
    }),
    { numRuns: 500 },
  );
});
