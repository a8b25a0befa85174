import { expect, test } from 'vitest';
import { formatIndexes, parseIndexes } from './index-set.ts';

test.each([
  ['', []],
  ['4', [4]],
  ['0,1', [0, 1]],
  ['0-2,5', [0, 1, 2, 5]],
  ['1,3-5,7,8', [1, 3, 4, 5, 7, 8]],
])('parseIndexes() and formatIndexes() agree on "%s"', (text, indexes) => {
  expect([...parseIndexes(text, 10)]).toEqual(indexes);
  expect(formatIndexes(new Set(indexes.toReversed()))).toBe(text);
});

test('parseIndexes() leaves out what is beyond the completions, and what is not a number', () => {
  expect([...parseIndexes('0,x,2-9,12', 4)]).toEqual([0, 2, 3]);
  expect([...parseIndexes(undefined, 4)]).toEqual([]);
});
