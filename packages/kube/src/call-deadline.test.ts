import { getEventListeners } from 'node:events';
import { rejection, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { withDeadline } from './call-deadline.ts';
import { DeadlineError, sleep } from './clock.ts';

const limit = (clock: VirtualClock) => ({ clock, timeoutMs: 1_500, what: () => 'GET /version' });

test('withDeadline() gives what the work gives, and cleans up', async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const result = await withDeadline(limit(clock), signal, async () => 'done');
  expect(result).toBe('done');
  expect(clock.pendingTimers).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('withDeadline() passes the failure of the work on, and cleans up', async () => {
  const clock = new VirtualClock();
  const { signal } = new AbortController();
  const failure = new Error('no');
  expect(await rejection(withDeadline(limit(clock), signal, () => Promise.reject(failure)))).toBe(
    failure,
  );
  expect(clock.pendingTimers).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('withDeadline() says what there was no time for', async () => {
  const clock = new VirtualClock();
  const late = rejection(
    withDeadline(limit(clock), undefined, (signal) => sleep(clock, 60_000, signal)),
  );
  await clock.advance(1_500);
  const error = await late;
  expect(error).toBeInstanceOf(DeadlineError);
  expect(error).toMatchObject({ message: 'Cannot GET /version: no answer within 1.5 s' });
  expect(clock.pendingTimers).toBe(0);
});

test('withDeadline() aborts the work with the reason of the caller', async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const reason = new Error('enough');
  const ended = rejection(
    withDeadline(limit(clock), controller.signal, (signal) => sleep(clock, 60_000, signal)),
  );
  controller.abort(reason);
  expect(await ended).toBe(reason);
});

test('withDeadline() does not begin for a caller who has given up', async () => {
  const reason = new Error('enough');
  const work = () => expect.unreachable();
  const ended = withDeadline(limit(new VirtualClock()), AbortSignal.abort(reason), work);
  expect(await rejection(ended)).toBe(reason);
});
