import { expect, test } from 'vitest';
import { ProcessClock } from './process-clock.ts';
import { VirtualClock } from './virtual-clock.ts';

test('ProcessClock fires nothing while frozen, and catches up in order when thawed', async () => {
  const shared = new VirtualClock();
  const [frozen, running] = [new ProcessClock(shared), new ProcessClock(shared)];
  const seen: string[] = [];
  frozen.after(10, () => seen.push(`first at ${frozen.monotonicMs()}`));
  frozen.after(20, () => seen.push(`second at ${frozen.monotonicMs()}`));
  frozen.after(15, () => seen.push('cancelled')).cancel();
  running.after(10, () => seen.push('other'));
  frozen.freeze();
  await shared.advance(1_000);
  expect(seen).toEqual(['other']);
  await frozen.thaw();
  expect(seen).toEqual(['other', 'first at 1000', 'second at 1000']);
});

test('ProcessClock lets what is overdue be cancelled by what fires before it', async () => {
  const shared = new VirtualClock();
  const clock = new ProcessClock(shared);
  clock.after(10, () => later.cancel());
  const later = clock.after(20, () => expect.unreachable());
  clock.freeze();
  await shared.advance(100);
  await clock.thaw();
});

test('ProcessClock keeps answers back until it is thawed', async () => {
  const shared = new VirtualClock();
  const clock = new ProcessClock(shared);
  clock.freeze();
  let heard = false;
  const hearing = clock.untilThawed().then(() => {
    heard = true;
  });
  await shared.advance(1_000);
  expect(heard).toBe(false);
  await clock.thaw();
  await hearing;
  expect(heard).toBe(true);
});

test('ProcessClock has a wall clock of its own', () => {
  const shared = new VirtualClock({ startMs: 1_000 });
  const clock = new ProcessClock(shared);
  clock.skewMs = -400;
  expect([clock.now(), shared.now()]).toEqual([600, 1_000]);
});
