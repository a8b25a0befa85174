import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  difference,
  emptySet,
  equalSets,
  type FieldSet,
  fieldSetOf,
  intersection,
  parseFields,
  pathsOf,
  printFields,
  union,
} from './field-set.ts';

const paths = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }));
const sets = paths.map(fieldSetOf);

function members(set: FieldSet): Set<string> {
  return new Set(pathsOf(set));
}

test('a set survives being written and read', () => {
  fc.assert(
    fc.property(sets, (set) => {
      expect(equalSets(parseFields(printFields(set)), set)).toBe(true);
    }),
  );
});

test('union, intersection and difference are those of the paths', () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const [inA, inB] = [members(a), members(b)];
      expect(members(union(a, b))).toEqual(new Set([...inA, ...inB]));
      expect(members(intersection(a, b))).toEqual(
        new Set([...inA].filter((path) => inB.has(path))),
      );
      expect(members(difference(a, b))).toEqual(new Set([...inA].filter((path) => !inB.has(path))));
    }),
  );
});

test('equalSets() is equality of the paths', () => {
  fc.assert(
    fc.property(sets, sets, (a, b) => {
      const isEqual = pathsOf(a).join() === pathsOf(b).join();
      expect(equalSets(a, b)).toBe(isEqual);
      expect(equalSets(difference(union(a, b), b), difference(a, b))).toBe(true);
      expect(equalSets(difference(a, a), emptySet)).toBe(true);
    }),
  );
});
