import type { Job, Pod, Stored } from '@liqo/kube';
import { isPodActive } from '../pod-state.ts';
import { parseIndexes } from './index-set.ts';
import { completionIndexOf } from './indexed-pod.ts';
import { finishedMs } from './job-times.ts';
import { matchFailurePolicy } from './pod-failure-policy.ts';
import { isTracked, outcomeOf } from './pod-outcome.ts';

/**
 * The limit of failures per index (KEP 3850). How often the pods of an index have failed is written on their successor,
 * and nowhere else: so the last one that failed is kept, and not counted, until its successor is there.
 */
export interface IndexFailures {
  /** Indexes that are not tried again. */
  readonly failed: ReadonlySet<number>;
  /** By index, the last failed pod of each that is to be tried again and is not yet. */
  readonly kept: ReadonlyMap<number, Stored<Pod>>;
}

const countKey = 'batch.kubernetes.io/job-index-failure-count';
const ignoredKey = 'batch.kubernetes.io/job-index-ignored-failure-count';
const largestCount = 2 ** 31 - 1;

/** Undefined for a job that has no such limit. */
export function findIndexFailures(
  job: Job,
  pods: readonly Stored<Pod>[],
  completed: ReadonlySet<number>,
): IndexFailures | undefined {
  const { backoffLimitPerIndex: limit, completions = 0 } = job.spec ?? {};
  if (limit === undefined) return undefined;
  const former = parseIndexes(job.status?.failedIndexes, completions);
  if (isDecided(job)) return { failed: former, kept: new Map() };
  const failures = pods
    .filter((pod) => isTracked(pod) && outcomeOf(job, pod) === 'Failed')
    .flatMap((pod) => withIndexOf(pod, completions));
  const fresh = failures.filter(({ pod }) => failsIndex(job, pod, limit));
  const failed = new Set([...former, ...fresh.map(({ index }) => index)]);
  const active = pods.filter(isPodActive).flatMap((pod) => withIndexOf(pod, completions));
  const settled = new Set([...completed, ...failed, ...active.map(({ index }) => index)]);
  return { failed, kept: lastOfEach(failures.filter(({ index }) => !settled.has(index))) };
}

/** How often the pods of an index have failed so far, whether that counts or not. */
export function failuresUpTo(pod: Pod): number {
  return countOf(pod, countKey) + countOf(pod, ignoredKey) + 1;
}

/** What is written on the pod that comes after `replaced`, or on the first of its index. */
export function failureAnnotations(
  job: Job,
  replaced: Stored<Pod> | undefined,
): Readonly<Record<string, string>> {
  if (!replaced) return { [countKey]: '0' };
  const counts = isCounted(job, replaced);
  const count = countOf(replaced, countKey) + (counts ? 1 : 0);
  const ignored = countOf(replaced, ignoredKey) + (counts ? 0 : 1);
  return { [countKey]: String(count), ...(ignored > 0 && { [ignoredKey]: String(ignored) }) };
}

/** Whether the failure of a pod matters to any limit. */
export function isCounted({ spec }: Job, pod: Stored<Pod>): boolean {
  return matchFailurePolicy(spec?.podFailurePolicy, pod).action !== 'Ignore';
}

interface IndexedPod {
  readonly index: number;
  readonly pod: Stored<Pod>;
}

function withIndexOf(pod: Stored<Pod>, completions: number): readonly IndexedPod[] {
  const index = completionIndexOf(pod, completions);
  return index === undefined ? [] : [{ index, pod }];
}

function failsIndex({ spec }: Job, pod: Stored<Pod>, limit: number): boolean {
  const { action } = matchFailurePolicy(spec?.podFailurePolicy, pod);
  if (action === 'Ignore') return false;
  return action === 'FailIndex' || countOf(pod, countKey) >= limit;
}

function lastOfEach(failures: readonly IndexedPod[]): ReadonlyMap<number, Stored<Pod>> {
  const last = new Map<number, Stored<Pod>>();
  for (const { index, pod } of failures) {
    const known = last.get(index);
    if (!known || isLater(pod, known)) last.set(index, pod);
  }
  return last;
}

function isLater(pod: Stored<Pod>, other: Stored<Pod>): boolean {
  return failuresUpTo(pod) >= failuresUpTo(other) && finishedMs(pod) >= finishedMs(other);
}

/** Of a job whose end is certain nothing is tried again, and pods that go fail nothing but themselves. */
function isDecided({ metadata, status }: Job): boolean {
  const isEnd = (type: string) => type === 'FailureTarget' || type === 'SuccessCriteriaMet';
  const isCertain = status?.conditions?.some((one) => isEnd(one.type) && one.status === 'True');
  return isCertain === true || metadata?.deletionTimestamp !== undefined;
}

/** Zero if the annotation was lost or tampered with. */
function countOf({ metadata }: Pod, key: string): number {
  const text = metadata?.annotations?.[key] ?? '';
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  return count <= largestCount ? count : 0;
}
