import { expect, test } from 'vitest';
import { wrapWords } from './wrap-words.ts';

test.each([
  ['one two three', 80, ['one two three']],
  ['one two three', 13, ['one two three']],
  ['one two three', 12, ['one two', 'three']],
  ['one two three', 1, ['one', 'two', 'three']],
  ['incomprehensible it is', 10, ['incomprehensible', 'it is']],
  ['', 10, ['']],
])('wrapWords(%j, %d)', (text, columns, lines) => {
  expect(wrapWords(text, columns)).toEqual(lines);
});
