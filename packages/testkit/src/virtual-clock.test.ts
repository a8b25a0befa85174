import { sleep } from '@liqo/kube';
import { expect, test } from 'vitest';
import { VirtualClock } from './virtual-clock.ts';

test('VirtualClock fires timers in the order in which they are due, equals as they were set', async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  const at = (ms: number, name: string) =>
    clock.after(ms, () => fired.push(`${name}@${clock.monotonicMs()}`));
  at(30, 'c');
  at(10, 'a');
  at(10, 'b');
  at(40, 'later');
  await clock.advance(30);
  expect(fired).toEqual(['a@10', 'b@10', 'c@30']);
  expect(clock.monotonicMs()).toBe(30);
  expect(clock.nextTimerMs).toBe(10);
});

test('VirtualClock fires timers that are set on the way, at their own time', async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  const loop = async () => {
    for (let round = 0; round < 3; round++) {
      await sleep(clock, 100);
      await Promise.resolve();
      seen.push(clock.monotonicMs());
    }
  };
  const done = loop();
  await clock.advance(1_000);
  await done;
  expect(seen).toEqual([100, 200, 300]);
  expect(clock.monotonicMs()).toBe(1_000);
});

test('VirtualClock lets promises come to rest between two timers', async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  clock.after(1, () => {
    setImmediate(() => seen.push('work of the first'));
  });
  clock.after(2, () => seen.push('second'));
  await clock.advance(2);
  expect(seen).toEqual(['work of the first', 'second']);
});

test('VirtualClock forgets a cancelled timer', async () => {
  const clock = new VirtualClock();
  const timer = clock.after(5, () => expect.unreachable());
  expect(clock.pendingTimers).toBe(1);
  timer.cancel();
  timer.cancel();
  expect(clock.pendingTimers).toBe(0);
  expect(clock.nextTimerMs).toBeUndefined();
  await clock.advance(10);
});

test('VirtualClock skews the wall clock and leaves durations alone', async () => {
  const clock = new VirtualClock({ startMs: 1_000_000, skewMs: -400 });
  await clock.advance(50);
  expect(clock.now()).toBe(999_650);
  clock.skewMs = 3_600_000;
  expect(clock.now()).toBe(4_600_050);
  expect(clock.monotonicMs()).toBe(50);
});

test('stall() makes timers fire late, as after a blocked event loop', async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  clock.after(10, () => fired.push(clock.monotonicMs()));
  clock.after(20, () => fired.push(clock.monotonicMs()));
  await clock.stall(5_000);
  expect(fired).toEqual([5_000, 5_000]);
});
