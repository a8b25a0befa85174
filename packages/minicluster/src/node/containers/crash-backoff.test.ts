import { expect, test } from 'vitest';
import { CrashBackoff, formatBackoff } from './crash-backoff.ts';

test('CrashBackoff waits not at all, then 10 s, doubling to 5 min', () => {
  const backoff = new CrashBackoff();
  const waits = Array.from({ length: 8 }, () => backoff.next(0).leftMs / 1000);
  expect(waits).toEqual([0, 10, 20, 40, 80, 160, 300, 300]);
});

test('CrashBackoff begins anew after a long good run', () => {
  const backoff = new CrashBackoff();
  for (let crash = 0; crash < 5; crash++) backoff.next(0);
  expect([backoff.next(11 * 60_000).leftMs, backoff.next(0).leftMs]).toEqual([0, 10_000]);
});

test('CrashBackoff takes off the wait what has passed of it', () => {
  const backoff = new CrashBackoff();
  for (let crash = 0; crash < 3; crash++) backoff.next(0);
  expect(backoff.next(30_000, 30_000)).toEqual({ wholeMs: 40_000, leftMs: 10_000 });
  expect(backoff.next(90_000, 90_000)).toEqual({ wholeMs: 80_000, leftMs: 0 });
});

test.each([
  [10_000, '10s'],
  [80_000, '1m20s'],
  [300_000, '5m0s'],
])('formatBackoff(%d) is %s', (ms, text) => expect(formatBackoff(ms)).toBe(text));
