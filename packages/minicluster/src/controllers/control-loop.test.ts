import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { ControlLoop } from './control-loop.ts';

test('ControlLoop works on a key once, however often it was added before', async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  await using loop = new ControlLoop({ clock, reconcile: async (key) => void seen.push(key) });
  for (const key of ['a', 'b', 'a']) loop.add(key);
  await clock.settle();
  expect(seen).toEqual([]);
  loop.start();
  await clock.settle();
  expect(seen).toEqual(['a', 'b']);
});

test('ControlLoop works on a key again that was added meanwhile, and never twice at a time', async () => {
  const clock = new VirtualClock();
  let [running, most, runs] = [0, 0, 0];
  const reconcile = async () => {
    running += 1;
    runs += 1;
    most = Math.max(most, running);
    if (runs === 1) loop.add('a');
    await clock.settle();
    running -= 1;
    return undefined;
  };
  await using loop = new ControlLoop({ clock, reconcile });
  loop.start();
  loop.add('a');
  for (let round = 0; round < 10; round++) await clock.settle();
  expect([runs, most]).toEqual([2, 1]);
});

test('ControlLoop waits longer after each failure, and tells of it', async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const errors: unknown[] = [];
  const reconcile = async () => {
    times.push(clock.monotonicMs());
    if (times.length < 4) throw new Error('no');
    return undefined;
  };
  const onError = (error: unknown) => errors.push(error);
  await using loop = new ControlLoop({ clock, reconcile, onError });
  loop.start();
  loop.add('a');
  await clock.advance(1_000);
  expect(times).toEqual([0, 5, 15, 35]);
  expect(errors).toHaveLength(3);
});

test('ControlLoop comes back when it was asked to, at the earliest of several times', async () => {
  const clock = new VirtualClock();
  const times: number[] = [];
  const reconcile = async () => void times.push(clock.monotonicMs());
  const loop = new ControlLoop({ clock, reconcile });
  loop.start();
  loop.addAfter('a', 100);
  loop.addAfter('a', 50);
  loop.addAfter('a', 70);
  await clock.advance(200);
  expect(times).toEqual([50]);
  loop.addAfter('a', 100);
  await loop[Symbol.asyncDispose]();
  expect(clock.pendingTimers).toBe(0);
});
