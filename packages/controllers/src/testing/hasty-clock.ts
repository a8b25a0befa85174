import type { Clock } from '@liqo/kube';
import { systemClock } from '@liqo/runtime';

/** How long a reconcile may take: as long as ever. */
const reconcileMs = 120_000;

/** Real time, but whoever wants to look again in a minute does so in no time. */
export const hastyClock: Clock = {
  now: () => systemClock.now(),
  monotonicMs: () => systemClock.monotonicMs(),
  after: (ms, callback) => systemClock.after(ms < reconcileMs ? ms / 50 : ms, callback),
};
