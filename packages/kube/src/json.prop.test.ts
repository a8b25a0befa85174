import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deepCopy, deepEqual } from './json.ts';

const documents = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)));

test('deepEqual() agrees with Node', () => {
  fc.assert(
    fc.property(documents, documents, (a, b) => {
      expect(deepEqual(a, b)).toBe(isDeepStrictEqual(a, b));
    }),
  );
});

test('deepCopy() makes an equal document that is another one all the way down', () => {
  fc.assert(
    fc.property(documents, (document) => {
      const copy = deepCopy(document);
      expect(isDeepStrictEqual(copy, document)).toBe(true);
      expect(deepEqual(copy, document)).toBe(true);
      expect(sharesNothing(copy, document)).toBe(true);
    }),
  );
});

function sharesNothing(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return true;
  if (a === b) return false;
  const others: readonly unknown[] = Object.values(b);
  return Object.values(a).every((value, index) => sharesNothing(value, others[index]));
}
