import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextInTurn } from './next-in-turn.ts';

const names = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 40 });

test('nextInTurn() reaches every name within as many turns as it takes', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 10 }), fc.string(), (all, limit, start) => {
      const reached = new Set<string>();
      let last: string | undefined = start;
      for (let turn = 0; turn < Math.ceil(all.length / limit); turn++) {
        const next = nextInTurn(all, last, limit);
        expect(next.length).toBe(Math.min(limit, all.length));
        for (const name of next) reached.add(name);
        last = next.at(-1);
      }
      expect(reached.size).toBe(all.length);
    }),
  );
});

test('nextInTurn() begins with the first name after the last one, also when that is gone', () => {
  expect(nextInTurn(['d', 'a', 'c'], 'b', 2)).toEqual(['c', 'd']);
  expect(nextInTurn(['d', 'a', 'c'], 'z', 2)).toEqual(['a', 'c']);
  expect(nextInTurn(['d', 'a', 'c'], 'c', 2)).toEqual(['d', 'a']);
});
