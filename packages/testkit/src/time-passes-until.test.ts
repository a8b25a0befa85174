import { sleep } from '@liqo/kube';
import { expect, test } from 'vitest';
import { rejection } from './rejection.ts';
import { timePassesUntil } from './time-passes-until.ts';
import { VirtualClock } from './virtual-clock.ts';

test('timePassesUntil() lets as much time pass as it takes, and no more', async () => {
  const clock = new VirtualClock();
  let woken = false;
  const sleeping = sleep(clock, 60_000).then(() => {
    woken = true;
  });
  await timePassesUntil(clock, () => expect(woken).toBe(true));
  await sleeping;
  expect(clock.monotonicMs()).toBe(60_000);
  await timePassesUntil(clock, () => expect(woken).toBe(true));
  expect(clock.monotonicMs()).toBe(60_000);
});

test('timePassesUntil() gives up with the last failure', async () => {
  const clock = new VirtualClock();
  const failing = timePassesUntil(clock, () => {
    throw new Error(`not at ${clock.monotonicMs()}`);
  });
  expect(await rejection(failing)).toMatchObject({
    message: expect.stringMatching(/^not at \d{7}$/),
  });
});
