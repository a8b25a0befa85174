import { ApiError, DeadlineError, TransportError } from '@liqo/kube';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import type { ReconcileReport } from './controller-observer.ts';
import { type Ending, endingOf, timedOut } from './ending.ts';
import { done, requeueAfter, TerminalError } from './outcome.ts';
import { settleKey } from './settle-key.ts';

const conflict = new ApiError({ code: 409, reason: 'Conflict' });
const busy = new ApiError({ code: 429 }, { retryAfterMs: 60_000 });
const terminal = new TerminalError('Cannot', { reason: 'NameTaken' });

/** Settles the second run of a key whose first run failed. */
async function settle(ending: Ending) {
  const clock = new VirtualClock();
  const queue = new WorkQueue({
    clock,
    random: () => 0,
    backoff: { firstMs: 10, longestMs: 9999 },
  });
  const reports: ReconcileReport[] = [];
  const queueObserver = {
    added: () => undefined,
    depthChanged: () => undefined,
    retried: () => undefined,
    taken: () => undefined,
    finished: () => undefined,
  };
  const observer = {
    queue: queueObserver,
    started: () => undefined,
    activeWorkersChanged: () => undefined,
    reconciled: (report: ReconcileReport) => void reports.push(report),
  };
  queue.addRateLimited('a');
  await clock.advance(10);
  await queue.take();
  settleKey({ key: 'a', ending, durationMs: 250, queue, log: silentLogger, observer });
  queue.done('a');
  const againInMs = clock.nextTimerMs;
  queue.add('a');
  const nextFailureWaitsMs = queue.addRateLimited('a');
  return { againInMs, nextFailureWaitsMs, reports };
}

test.each([
  ['done', done, undefined, 10, { result: 'success' }],
  ['waiting', requeueAfter(700, 'waiting'), 700, 10, { result: 'requeue_after' }],
  ['a conflict', endingOf(conflict), 20, 40, { result: 'requeue' }],
  ['an error', endingOf(new Error('boom')), 20, 40, { result: 'error', failure: 'ordinary' }],
  ['a busy server', endingOf(busy), 60_000, 40, { result: 'error', failure: 'ordinary' }],
  ['a mistake', endingOf(new TypeError('x')), 20, 40, { result: 'error', failure: 'panic' }],
  ['a timeout', timedOut(new Error('x')), 20, 40, { result: 'error', failure: 'timeout' }],
  ['a terminal error', endingOf(terminal), undefined, 10, { result: 'error', failure: 'terminal' }],
] as const)('settleKey() after %s', async (_, ending, againInMs, nextFailureWaitsMs, report) => {
  expect(await settle(ending)).toEqual({
    againInMs,
    nextFailureWaitsMs,
    reports: [{ ...report, seconds: 0.25 }],
  });
});

test('settleKey() counts nothing and plans nothing when the controller is stopping', async () => {
  expect(await settle({ type: 'stopped' })).toMatchObject({ againInMs: undefined, reports: [] });
});

test.each([
  ['a server that fails', endingOf(new ApiError({ code: 500 })), 8_000],
  ['a connection that breaks', endingOf(new TransportError('x', { sent: true })), 8_000],
  ['a call without an answer', endingOf(new DeadlineError('x')), 8_000],
  ['a reconcile without an end', timedOut(new DeadlineError('x')), 8_000],
  ['a refusal', endingOf(new ApiError({ code: 403 })), 30_000],
  ['a mistake', endingOf(new TypeError('x')), 30_000],
])(
  'settleKey() lets a key wait no longer than due after %s, however often',
  async (_, ending, longestMs) => {
    const clock = new VirtualClock();
    const queue = new WorkQueue({ clock, random: () => 0 });
    const settleOnce = () =>
      settleKey({ key: 'a', ending, durationMs: 0, queue, log: silentLogger, observer: undefined });
    for (let n = 0; n < 30; n++) {
      settleOnce();
      await clock.advance(longestMs);
      queue.done((await queue.take()) ?? '');
    }
    settleOnce();
    expect(clock.nextTimerMs).toBe(longestMs);
  },
);
