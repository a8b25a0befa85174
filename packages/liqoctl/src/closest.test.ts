import { expect, test } from 'vitest';
import { closest } from './closest.ts';

test.each([
  ['creat', 'create'],
  ['offlaod', 'offload'],
  ['vesrion', 'version'],
])('closest() takes "%s" for "%s"', (word, meant) => {
  expect(closest(word, ['create', 'offload', 'unoffload', 'version'])).toBe(meant);
});

test.each(['', 'x', 'peer', 'frobnicate'])('closest() makes nothing of "%s"', (word) => {
  expect(closest(word, ['create', 'offload', 'version'])).toBeUndefined();
});
