import {
  findCondition,
  formatTime,
  type Job,
  type Pod,
  type Stored,
  setCondition,
} from '@liqo/kube';
import type { JobCondition } from 'kubernetes-types/batch/v1.d.ts';
import { isPodActive, isPodFinished, isPodTerminating } from '../pod-state.ts';
import { rankForDeletion } from '../replica-set/rank-pods.ts';
import { failuresUpTo } from './index-failures.ts';
import { completionIndexOf, isIndexed } from './indexed-pod.ts';
import type { JobCounts } from './job-counts.ts';
import { type Backoff, backoffInMs, deadlineInMs, finishedMs } from './job-times.ts';
import { judgeJob, total, type Verdict } from './judge-job.ts';
import { awaitsEnd } from './pod-outcome.ts';

export interface JobPlan {
  /** A pod for each, with this index if the job has indexes. */
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly Stored<Pod>[];
  /** Whether the removed pods have failed. Those that were just too many have not. */
  readonly removedFailed: boolean;
  readonly conditions: JobCondition[];
  readonly isComplete: boolean;
  /** Whether pods are missing, and all of them wait for a while after failures. */
  readonly isPausing: boolean;
  /** When the clock alone will change something, in milliseconds. */
  readonly againMs: number | undefined;
}

export interface JobInputs {
  readonly job: Stored<Job>;
  readonly pods: readonly Stored<Pod>[];
  readonly counts: JobCounts;
  readonly backoff: Backoff | undefined;
}

export function isJobFinished({ status }: Job): boolean {
  const isTrue = (type: string) => findCondition(status?.conditions, type)?.status === 'True';
  return isTrue('Complete') || isTrue('Failed');
}

/** What to do for a job that has not finished, given what was counted so far. */
export function planJob(inputs: JobInputs, nowMs: number): JobPlan {
  const { job, pods } = inputs;
  const active = pods.filter(isPodActive);
  const verdict = judgeJob({ ...inputs, activeCount: active.length, nowMs });
  if (verdict) return conclude(inputs, verdict, nowMs);
  const idle = { create: [], removedFailed: false, isComplete: false, isPausing: false };
  const conditions = noteSuspension(job, nowMs);
  if (job.spec?.suspend) return { ...idle, remove: active, conditions, againMs: undefined };
  const deadlineMs = deadlineInMs(job, nowMs);
  const remove = planRemoval(inputs, active, nowMs);
  if (remove.length > 0) return { ...idle, remove, conditions, againMs: deadlineMs };
  const missing = planCreation(inputs, active);
  const pauseOf = (index: number | undefined) => pauseInMs(inputs, index, nowMs);
  const create = missing.filter((index) => pauseOf(index) === 0);
  const pauses = missing.map(pauseOf).filter((ms) => ms > 0);
  const againMs = earliest([deadlineMs, ...pauses]);
  const isPausing = create.length === 0 && pauses.length > 0;
  return { ...idle, create, remove, conditions, isPausing, againMs };
}

/** Each index has a pause of its own if its failures are counted for themselves. */
function pauseInMs(
  { counts, backoff }: JobInputs,
  index: number | undefined,
  nowMs: number,
): number {
  if (!counts.byIndex || index === undefined) return backoffInMs(backoff, nowMs);
  const last = counts.byIndex.kept.get(index);
  return last ? backoffInMs({ failures: failuresUpTo(last), lastMs: finishedMs(last) }, nowMs) : 0;
}

/** Pods whose index another one has, or the job has not, and then as many as there are too many. */
function planRemoval(
  { job, counts }: JobInputs,
  active: readonly Stored<Pod>[],
  nowMs: number,
): readonly Stored<Pod>[] {
  const excess = active.length - wantedActive(job, active.length, total(counts, 'succeeded'));
  const ranked = rankForDeletion(active, [], nowMs);
  const misplaced = isIndexed(job) ? withoutPlace(job, ranked) : [];
  const others = ranked.filter((pod) => !misplaced.includes(pod));
  return [...misplaced, ...others.slice(0, Math.max(0, excess - misplaced.length))];
}

/** Of pods with the same index the last stays. */
function withoutPlace(job: Job, ranked: readonly Stored<Pod>[]): readonly Stored<Pod>[] {
  const taken = new Set<number>();
  return ranked.toReversed().filter((pod) => {
    const index = completionIndexOf(pod, job.spec?.completions ?? 0);
    if (index === undefined || taken.has(index)) return true;
    taken.add(index);
    return false;
  });
}

function planCreation(
  { job, pods, counts }: JobInputs,
  active: readonly Stored<Pod>[],
): readonly (number | undefined)[] {
  const wanted = wantedActive(job, active.length, total(counts, 'succeeded'));
  const ending = awaitsEnd(job) ? pods.filter(isEnding) : [];
  const count = Math.max(0, wanted - active.length - ending.length);
  if (!counts.completed) return Array.from({ length: count }, () => undefined);
  const { completions = 0 } = job.spec ?? {};
  const present = [...active, ...ending].flatMap(
    (pod) => completionIndexOf(pod, completions) ?? [],
  );
  const failed = counts.byIndex?.failed ?? [];
  return firstFree(new Set([...counts.completed, ...failed, ...present]), completions, count);
}

function firstFree(taken: ReadonlySet<number>, end: number, count: number): readonly number[] {
  const free: number[] = [];
  for (let index = 0; index < end && free.length < count; index++) {
    if (!taken.has(index)) free.push(index);
  }
  return free;
}

/** The decision is told at once, the end only when nothing runs and everything is counted. */
function conclude({ job, pods, counts }: JobInputs, verdict: Verdict, nowMs: number): JobPlan {
  const { success, reason, message } = verdict;
  const isOver =
    pods.every(isPodFinished) &&
    counts.keptFailures === 0 &&
    counts.uncounted.succeeded.length + counts.uncounted.failed.length === 0;
  const target = success ? 'SuccessCriteriaMet' : 'FailureTarget';
  const types = isOver ? [target, success ? 'Complete' : 'Failed'] : [target];
  const conditions = types.reduce(
    (list, type) => withCondition(list, { type, status: 'True', reason, message }, nowMs),
    job.status?.conditions ?? [],
  );
  return {
    create: [],
    remove: pods.filter(isPodActive),
    removedFailed: !success,
    conditions,
    isComplete: isOver && success,
    isPausing: false,
    againMs: undefined,
  };
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

function earliest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

function isEnding(pod: Pod): boolean {
  return isPodTerminating(pod) && !isPodFinished(pod);
}

export function countTerminating(pods: readonly Stored<Pod>[]): number {
  return pods.filter(isEnding).length;
}
