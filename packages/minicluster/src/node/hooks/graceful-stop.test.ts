import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { GracefulStop } from './graceful-stop.ts';

function stopper(preStop?: (signal: AbortSignal) => Promise<void>) {
  const clock = new VirtualClock();
  const log: string[] = [];
  const note = (what: string) => () => log.push(`${clock.monotonicMs() / 1000} ${what}`);
  const exited = new Promise<never>(() => {});
  const process = { exited, terminate: note('term'), kill: note('kill') };
  const stop = new GracefulStop({ clock, process, ...(preStop && { preStop }) });
  return { clock, log, stop };
}

test('GracefulStop asks at once and kills when the grace is over', async () => {
  const { clock, log, stop } = stopper();
  stop.within(5_000);
  await clock.advance(10_000);
  expect(log).toEqual(['0 term', '5 kill']);
});

test('GracefulStop leaves two seconds between asking and killing, however little time there is', async () => {
  const { clock, log, stop } = stopper(() => new Promise(() => {}));
  stop.within(1_000);
  await clock.advance(10_000);
  expect(log).toEqual(['1 term', '3 kill']);
});

test('GracefulStop gives less time when told so, never more', async () => {
  const { clock, log, stop } = stopper();
  expect([stop.within(30_000), stop.within(60_000), stop.within(4_000)]).toEqual([
    true,
    false,
    true,
  ]);
  await clock.advance(60_000);
  expect(log).toEqual(['0 term', '4 kill']);
});

test('GracefulStop does nothing more once it is called off', async () => {
  const { clock, log, stop } = stopper();
  stop.within(5_000);
  await clock.settle();
  stop.cancel();
  await clock.advance(10_000);
  expect(log).toEqual(['0 term']);
  expect(clock.pendingTimers).toBe(0);
});
