import { getEventListeners } from 'node:events';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { SilenceGuard } from './silence-guard.ts';
import { TransportError } from './transport.ts';

function start(outer?: AbortSignal) {
  const clock = new VirtualClock();
  return { clock, guard: new SilenceGuard(clock, 150_000, outer) };
}

test('SilenceGuard aborts after exactly as much silence, as a broken connection would', async () => {
  const { clock, guard } = start();
  await clock.advance(149_999);
  expect(guard.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(guard.signal.reason).toBeInstanceOf(TransportError);
  expect(String(guard.signal.reason)).toContain('nothing was heard for 150 s');
  expect(clock.pendingTimers).toBe(0);
});

test('SilenceGuard counts from what was heard last, with one timer however much that is', async () => {
  const { clock, guard } = start();
  for (let second = 0; second < 1_000; second++) {
    guard.heard();
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(1_000);
  }
  expect(guard.signal.aborted).toBe(false);
  await clock.advance(148_999);
  expect(guard.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(guard.signal.aborted).toBe(true);
});

test('SilenceGuard aborts with the outer signal and its reason', () => {
  const outer = new AbortController();
  const { guard } = start(outer.signal);
  const reason = new Error('enough');
  outer.abort(reason);
  expect(guard.signal.reason).toBe(reason);
});

test('SilenceGuard is aborted from the start when the outer signal is', () => {
  const reason = new Error('enough');
  expect(start(AbortSignal.abort(reason)).guard.signal.reason).toBe(reason);
});

test('end() ends what is guarded and leaves no timer and no listener', async () => {
  const outer = new AbortController();
  const { clock, guard } = start(outer.signal);
  guard.end();
  guard.end();
  expect(guard.signal.aborted).toBe(true);
  expect(clock.pendingTimers).toBe(0);
  expect(getEventListeners(outer.signal, 'abort')).toEqual([]);
});
