import { expect, test } from 'vitest';
import { formatElapsed } from './format-elapsed.ts';

test.each([
  [0, '0.0 s'],
  [340, '0.3 s'],
  [9_960, '10 s'],
  [59_400, '59 s'],
  [60_000, '1 m'],
  [125_000, '2 m 5 s'],
])('formatElapsed() writes %d ms as %s', (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});
