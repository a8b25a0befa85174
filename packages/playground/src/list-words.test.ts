import { expect, test } from 'vitest';
import { listWords } from './list-words.ts';

test.each([
  [[], ''],
  [['rome'], 'rome'],
  [['rome', 'milan'], 'rome and milan'],
  [['rome', 'milan', 'turin'], 'rome, milan and turin'],
])('listWords(%j) is "%s"', (words, text) => expect(listWords(words)).toBe(text));
