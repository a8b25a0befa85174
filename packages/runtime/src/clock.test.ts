import { expect, test } from 'vitest';
import { keepAlive, systemClock } from './clock.ts';

test('systemClock runs a timer after its delay, not before', async () => {
  const startedMs = systemClock.monotonicMs();
  await new Promise<void>((resolve) => systemClock.after(15, resolve));
  expect(systemClock.monotonicMs() - startedMs).toBeGreaterThan(13.9);
});

test('systemClock does not run a cancelled timer', async () => {
  const timer = systemClock.after(1, () => expect.unreachable());
  timer.cancel();
  await new Promise<void>((resolve) => systemClock.after(5, resolve));
});

test('systemClock waits longer than Node itself can', async () => {
  const timer = systemClock.after(2 ** 33, () => expect.unreachable());
  await new Promise<void>((resolve) => systemClock.after(10, resolve));
  timer.cancel();
});

test('systemClock gives wall time in milliseconds since the epoch', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
});

test('keepAlive() holds the event loop open until disposed, timers of the clock do not', () => {
  const active = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = active();
  const timer = systemClock.after(10_000, () => undefined);
  expect(active()).toBe(before);
  const alive = keepAlive();
  expect(active()).toBe(before + 1);
  alive[Symbol.dispose]();
  expect(active()).toBe(before);
  timer.cancel();
});
