import { parseTime, type Random } from '@liqo/kube';
import type { ContainerStatus, PodStatus } from './pod-status.ts';

/** Most pods have more to say within this time than that they have begun, and each word is a write. */
const firstWordMs = 10_000;
/** Times of Kubernetes are whole seconds, and no two clocks agree. */
const toleranceMs = 1_000;

/**
 * How long the first word about a pod that has just begun may still wait: zero when it is due. A clock that disagrees with
 * the server's is no reason to be silent.
 */
export function firstWordDueInMs(
  beganAt: string | undefined,
  nowMs: number,
  withinMs: number = firstWordMs,
): number {
  if (beganAt === undefined) return 0;
  const ageMs = nowMs - parseTime(beganAt);
  return ageMs >= -toleranceMs && ageMs < withinMs ? withinMs - ageMs : 0;
}

/** Whether a pod says no more than that somebody is about to start it: nothing has run yet, and nothing is in the way. */
export function saysOnlyThatItBegins(status: PodStatus): boolean {
  const { phase, podIP, containerStatuses = [], initContainerStatuses = [] } = status;
  const isBeginning = ({ state }: ContainerStatus) =>
    state?.waiting !== undefined && beginnings.has(state.waiting.reason);
  return (
    phase === 'Pending' &&
    podIP === undefined &&
    [...initContainerStatuses, ...containerStatuses].every(isBeginning)
  );
}

const beginnings: ReadonlySet<string | undefined> = new Set([
  undefined,
  'ContainerCreating',
  'PodInitializing',
]);

/** Pods of one second began at once, as their times say: what waits for a while after that is not to happen at once as well. */
export function spreadOver(windowMs: number, waitMs: number, random: Random): number {
  return waitMs === 0 ? 0 : waitMs + windowMs * random();
}
