import { findCondition, type Job, type Pod, parseTime, type Stored } from '@liqo/kube';
import type { JobCounts } from './job-counts.ts';

const firstBackoffMs = 10_000;
const longestBackoffMs = 600_000;

/** How long the job may still run: 0 when it may not, undefined when nobody set a limit. */
export function deadlineInMs({ spec, status }: Job, nowMs: number): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || !status?.startTime || spec.suspend) {
    return undefined;
  }
  const endMs = parseTime(status.startTime) + spec.activeDeadlineSeconds * 1000;
  return Math.max(0, endMs - nowMs);
}

/** How often pods failed since the last one succeeded, and when last. */
export interface Backoff {
  readonly failures: number;
  readonly lastMs: number;
}

export function noteEnds(
  before: Backoff | undefined,
  { succeeded, failed }: JobCounts['fresh'],
): Backoff | undefined {
  const lastSuccessMs = Math.max(Number.NEGATIVE_INFINITY, ...succeeded.map(finishedMs));
  const failuresMs = failed.map(finishedMs).filter((ms) => ms > lastSuccessMs);
  const known = succeeded.length > 0 ? undefined : before;
  if (failuresMs.length === 0) return known;
  return { failures: (known?.failures ?? 0) + failuresMs.length, lastMs: Math.max(...failuresMs) };
}

/** New pods wait after failures: 10 s, then twice as long for each further one. */
export function backoffInMs(backoff: Backoff | undefined, nowMs: number): number {
  if (!backoff) return 0;
  const pauseMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (backoff.failures - 1));
  return Math.max(0, backoff.lastMs + pauseMs - nowMs);
}

/** When all containers had ended, or else the pod was not ready any more, or was told to end. */
export function finishedMs({ metadata, status }: Stored<Pod>): number {
  const containers = status?.containerStatuses ?? [];
  const ends = containers.flatMap(({ state }) => state?.terminated?.finishedAt ?? []);
  if (ends.length > 0 && ends.length === containers.length) return Math.max(...ends.map(parseTime));
  const ready = findCondition(status?.conditions, 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime) {
    return parseTime(ready.lastTransitionTime);
  }
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = metadata;
  if (!deletionTimestamp) return parseTime(creationTimestamp);
  return parseTime(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

/** When a finished job has outlived its stay, in milliseconds from now; undefined if it may stay for ever. */
export function expiresInMs({ spec, status }: Job, nowMs: number): number | undefined {
  const finished = status?.conditions?.find(
    ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  if (spec?.ttlSecondsAfterFinished === undefined || !finished?.lastTransitionTime)
    return undefined;
  const endMs = parseTime(finished.lastTransitionTime) + spec.ttlSecondsAfterFinished * 1000;
  return Math.max(0, endMs - nowMs);
}
