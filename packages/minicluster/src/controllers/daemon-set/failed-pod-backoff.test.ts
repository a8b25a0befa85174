import { expect, test } from 'vitest';
import { FailedPodBackoff } from './failed-pod-backoff.ts';

test('FailedPodBackoff lets the first pod go at once, and each further one later', () => {
  const backoff = new FailedPodBackoff();
  expect(backoff.leftMs('here', 0)).toBe(0);
  backoff.note('here', 0);
  expect(backoff.leftMs('here', 400)).toBe(600);
  expect(backoff.leftMs('elsewhere', 400)).toBe(0);
  backoff.note('here', 1000);
  expect(backoff.leftMs('here', 1000)).toBe(2000);
});

test('FailedPodBackoff waits a quarter of an hour at most, and forgives after half an hour', () => {
  const backoff = new FailedPodBackoff();
  for (let count = 0; count < 20; count += 1) backoff.note('here', 0);
  expect(backoff.leftMs('here', 0)).toBe(900_000);
  expect(backoff.leftMs('here', 1_800_001)).toBe(0);
  backoff.note('here', 1_800_001);
  expect(backoff.leftMs('here', 1_800_001)).toBe(1000);
});
