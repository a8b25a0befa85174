import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

const policy = { firstMs: 10, longestMs: 1000 };

test('backoffMs() doubles with every failure up to the longest', () => {
  const waits = [0, 1, 2, 6, 7, 5000].map((failures) => backoffMs(policy, failures, () => 0));
  expect(waits).toEqual([10, 20, 40, 640, 1000, 1000]);
});

test('backoffMs() leaves a fifth of the wait to chance and never waits longer for it', () => {
  expect(backoffMs(policy, 9, () => 0.999)).toBeGreaterThan(800);
  expect(backoffMs(policy, 9, () => 0.999)).toBeLessThan(802);
});
