import { expect, test } from 'vitest';
import { formatAge } from './format-age.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-5, '0s'],
  [119_000, '119s'],
  [2 * minute, '2m'],
  [5 * minute + 30_000, '5m30s'],
  [179 * minute, '179m'],
  [3 * hour + 5 * minute, '3h5m'],
  [47 * hour, '47h'],
  [3 * day + 2 * hour, '3d2h'],
  [300 * day, '300d'],
  [3 * 365 * day + day, '3y1d'],
  [9 * 365 * day, '9y'],
])('formatAge() writes %d ms as kubectl does: %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text);
});
