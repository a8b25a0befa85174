import type { Logger } from '../log/log.ts';
import type { WorkQueue } from '../queue/work-queue.ts';
import type { ControllerObserver, ReconcileReport } from './controller-observer.ts';
import type { Ending, Failed } from './ending.ts';

interface Settlement {
  readonly key: string;
  readonly ending: Ending;
  readonly durationMs: number;
  readonly queue: WorkQueue;
  readonly log: Logger;
  readonly observer: ControllerObserver | undefined;
}

/** However long somebody was away: whoever is back is asked within ten seconds, with time to answer. */
const outageWaitMs = 8_000;

/** What follows from the end of a reconcile: when the key runs again, what is logged (once, here), what is counted. */
export function settleKey(settlement: Settlement): void {
  const { key, ending, durationMs, queue, log, observer } = settlement;
  const report = (result: ReconcileReport['result']) =>
    observer?.reconciled({ result, seconds: durationMs / 1000 });
  switch (ending.type) {
    case 'done':
      queue.forget(key);
      log.debug('Reconciled', { durationMs });
      report('success');
      return;
    case 'requeueAfter':
      queue.forget(key);
      queue.addAfter(key, ending.delayMs);
      log.debug('Waiting', { reason: ending.reason, againInMs: ending.delayMs, durationMs });
      report('requeue_after');
      return;
    case 'conflict':
      queue.addRateLimited(key);
      log.debug('Somebody else wrote first: trying again', { err: ending.error, durationMs });
      report('requeue');
      return;
    case 'failed':
      settleFailed(settlement, ending);
      return;
    case 'stopped':
      log.debug('Stopped', { durationMs });
      return;
  }
}

function settleFailed(settlement: Settlement, ending: Failed): void {
  const { key, durationMs, queue, log, observer } = settlement;
  const { failure, error } = ending;
  observer?.reconciled({ result: 'error', seconds: durationMs / 1000, failure });
  if (failure === 'terminal') {
    queue.forget(key);
    log.error('Reconcile failed: only a change can help', { err: error, durationMs });
    return;
  }
  const atMostMs = ending.isOutage ? outageWaitMs : Number.POSITIVE_INFINITY;
  const waitMs = queue.addRateLimited(key, { atLeastMs: ending.retryAfterMs, atMostMs });
  const againInMs = Math.round(waitMs);
  log.error('Reconcile failed: trying again', { err: error, failure, againInMs, durationMs });
}
