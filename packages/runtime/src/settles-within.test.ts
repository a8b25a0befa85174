import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { settlesWithin } from './settles-within.ts';

test.each([
  ['resolves', () => Promise.resolve(1)],
  ['rejects', () => Promise.reject(new Error('boom'))],
])(
  'settlesWithin() is true for a promise that %s in time, and leaves no timer',
  async (_, promise) => {
    const clock = new VirtualClock();
    expect(await settlesWithin(promise(), clock, 1000)).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  },
);

test('settlesWithin() is false when the time is up first', async () => {
  const clock = new VirtualClock();
  const settled = settlesWithin(new Promise(() => undefined), clock, 1000);
  await clock.advance(1000);
  expect(await settled).toBe(false);
});
