import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Comparison, startComparison } from './random-programs/start-comparison.ts';

let comparison: Comparison;

beforeAll(async () => {
  comparison = await startComparison();
});
afterAll(() => comparison?.[Symbol.asyncDispose]());

const seeds = Array.from({ length: 200 }, (_, index) => index + 1);

test.each(seeds)('minicluster answers program %i as Kubernetes does', async (seed) => {
  const { difference } = await comparison.compare(seed);
  expect(difference).toBeUndefined();
});
