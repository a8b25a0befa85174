import { expect, test } from 'vitest';
import { seededRandom } from './seeded-random.ts';

const take = (seed: number, count: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random());
};

test('seededRandom() repeats itself for the same seed only', () => {
  expect(take(7, 20)).toEqual(take(7, 20));
  expect(take(7, 20)).not.toEqual(take(8, 20));
});

test('seededRandom() spreads evenly over [0, 1)', () => {
  const buckets = Array.from({ length: 10 }, () => 0);
  for (const number of take(1, 10_000)) {
    const index = Math.floor(number * 10);
    buckets[index] = (buckets[index] ?? Number.NaN) + 1;
  }
  for (const count of buckets) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
