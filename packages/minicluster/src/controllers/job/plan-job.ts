import {
  findCondition,
  formatTime,
  type Job,
  type Pod,
  parseTime,
  type Stored,
  setCondition,
} from '@liqo/kube';
import type { JobCondition } from 'kubernetes-types/batch/v1.d.ts';
import { isPodActive, isPodFinished, isPodTerminating } from '../pod-state.ts';
import type { JobCounts } from './job-counts.ts';

export interface JobPlan {
  readonly create: number;
  readonly remove: readonly Stored<Pod>[];
  readonly conditions: JobCondition[];
  readonly isComplete: boolean;
  /** When the clock alone will change something, in milliseconds. */
  readonly againMs: number | undefined;
}

/** Decided, but not over before the last pod has ended. */
type Verdict = Pick<JobCondition, 'reason' | 'message'> & { readonly success: boolean };

const firstBackoffMs = 10_000;
const longestBackoffMs = 600_000;

export function isJobFinished({ status }: Job): boolean {
  const isTrue = (type: string) => findCondition(status?.conditions, type)?.status === 'True';
  return isTrue('Complete') || isTrue('Failed');
}

/** What to do for a job that has not finished, given what was counted so far. */
export function planJob(
  job: Stored<Job>,
  pods: readonly Stored<Pod>[],
  counts: JobCounts,
  nowMs: number,
): JobPlan {
  const active = pods.filter(isPodActive);
  const verdict = judge(job, active.length, counts, nowMs);
  if (verdict) return conclude(job, pods, verdict, counts, nowMs);
  const conditions = noteSuspension(job, nowMs);
  const deadlineMs = deadlineInMs(job, nowMs);
  if (job.spec?.suspend) {
    return { create: 0, remove: active, conditions, isComplete: false, againMs: undefined };
  }
  const wanted = wantedActive(job, active.length, total(counts, 'succeeded'));
  const backoffMs = backoffInMs(pods, counts, nowMs);
  const missing = Math.max(0, wanted - pods.filter((pod) => !isPodFinished(pod)).length);
  const waits = [deadlineMs, missing > 0 && backoffMs > 0 ? backoffMs : undefined];
  return {
    create: backoffMs > 0 ? 0 : missing,
    remove: active.toSorted(byYouth).slice(0, Math.max(0, active.length - wanted)),
    conditions,
    isComplete: false,
    againMs: earliest(waits),
  };
}

function total(counts: JobCounts, outcome: 'succeeded' | 'failed'): number {
  return counts[outcome] + counts.uncounted[outcome].length;
}

function judge(
  job: Stored<Job>,
  activeCount: number,
  counts: JobCounts,
  nowMs: number,
): Verdict | undefined {
  const { backoffLimit = 6, completions } = job.spec ?? {};
  const decided = job.status?.conditions?.find(
    ({ type, status }) =>
      status === 'True' && ['FailureTarget', 'SuccessCriteriaMet'].includes(type),
  );
  if (decided) return { ...decided, success: decided.type === 'SuccessCriteriaMet' };
  if (total(counts, 'failed') > backoffLimit) {
    const message = 'Job has reached the specified backoff limit';
    return { success: false, reason: 'BackoffLimitExceeded', message };
  }
  if (deadlineInMs(job, nowMs) === 0) {
    const message = 'Job was active longer than specified deadline';
    return { success: false, reason: 'DeadlineExceeded', message };
  }
  const succeeded = total(counts, 'succeeded');
  const isDone =
    completions === undefined ? succeeded > 0 && activeCount === 0 : succeeded >= completions;
  if (!isDone) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { success: true, reason: 'CompletionsReached', message };
}

/** The decision is told at once, the end only when nothing runs and everything is counted. */
function conclude(
  job: Stored<Job>,
  pods: readonly Stored<Pod>[],
  verdict: Verdict,
  counts: JobCounts,
  nowMs: number,
): JobPlan {
  const { success, reason = '', message = '' } = verdict;
  const remove = pods.filter(isPodActive);
  const isOver =
    pods.every(isPodFinished) &&
    counts.uncounted.succeeded.length + counts.uncounted.failed.length === 0;
  const target = success ? 'SuccessCriteriaMet' : 'FailureTarget';
  const types = isOver ? [target, success ? 'Complete' : 'Failed'] : [target];
  const conditions = types.reduce(
    (list, type) => withCondition(list, { type, status: 'True', reason, message }, nowMs),
    job.status?.conditions ?? [],
  );
  return { create: 0, remove, conditions, isComplete: isOver && success, againMs: undefined };
}

function withCondition(
  conditions: JobCondition[],
  condition: Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>,
  nowMs: number,
): JobCondition[] {
  const old = findCondition(conditions, condition.type);
  if (old?.status === condition.status && old.reason === condition.reason) return conditions;
  const now = formatTime(nowMs);
  return setCondition(conditions, { ...condition, lastProbeTime: now }, now);
}

function noteSuspension(job: Stored<Job>, nowMs: number): JobCondition[] {
  const conditions = job.status?.conditions ?? [];
  const type = 'Suspended';
  if (job.spec?.suspend) {
    const told = { type, status: 'True', reason: 'JobSuspended', message: 'Job suspended' };
    return withCondition(conditions, told, nowMs);
  }
  if (!findCondition(conditions, type)) return conditions;
  const told = { type, status: 'False', reason: 'JobResumed', message: 'Job resumed' };
  return withCondition(conditions, told, nowMs);
}

function wantedActive(job: Job, activeCount: number, succeeded: number): number {
  const { completions, parallelism = 1 } = job.spec ?? {};
  if (completions === undefined) return succeeded > 0 ? activeCount : parallelism;
  return Math.min(parallelism, Math.max(0, completions - succeeded));
}

function deadlineInMs({ spec, status }: Job, nowMs: number): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || !status?.startTime || spec.suspend) {
    return undefined;
  }
  const endMs = parseTime(status.startTime) + spec.activeDeadlineSeconds * 1000;
  return Math.max(0, endMs - nowMs);
}

/** After failures that no success followed, new pods wait: 10 s, then twice as long for each further failure. */
function backoffInMs(pods: readonly Stored<Pod>[], counts: JobCounts, nowMs: number): number {
  const failed = pods.filter(({ status }) => status?.phase === 'Failed');
  const failures = total(counts, 'failed');
  if (failed.length === 0 || failures === 0) return 0;
  const lastMs = Math.max(...failed.map((pod) => finishedMs(pod)));
  const pauseMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1));
  return Math.max(0, lastMs + pauseMs - nowMs);
}

function finishedMs(pod: Stored<Pod>): number {
  const ends = pod.status?.containerStatuses?.flatMap(
    ({ state }) => state?.terminated?.finishedAt ?? [],
  );
  const times = (ends ?? []).map(parseTime);
  return times.length > 0 ? Math.max(...times) : parseTime(pod.metadata.creationTimestamp);
}

function byYouth(a: Stored<Pod>, b: Stored<Pod>): number {
  return parseTime(b.metadata.creationTimestamp) - parseTime(a.metadata.creationTimestamp);
}

function earliest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
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

export function countTerminating(pods: readonly Stored<Pod>[]): number {
  return pods.filter((pod) => isPodTerminating(pod) && !isPodFinished(pod)).length;
}
