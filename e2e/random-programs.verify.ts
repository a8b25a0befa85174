import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeDisagreement } from './random-programs/describe-disagreement.ts';
import { type Comparison, startComparison } from './random-programs/start-comparison.ts';

let comparison: Comparison;

beforeAll(async () => {
  comparison = await startComparison();
});
afterAll(() => comparison?.[Symbol.asyncDispose]());

const seeds = Array.from({ length: 200 }, (_, index) => index + 1);
/** Long enough to reduce a program that shows a difference. */
const patientTest = { timeout: 300_000 };

test.each(seeds)('minicluster answers program %i as Kubernetes does', patientTest, async (seed) => {
  const verdict = await comparison.compare(seed);
  if (verdict.difference === undefined) return;
  expect.fail(describeDisagreement(await comparison.reduce(verdict)));
});
