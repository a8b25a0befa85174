import type { Job, Pod, Stored } from '@liqo/kube';
import { findIndexFailures, type IndexFailures, isCounted } from './index-failures.ts';
import { parseIndexes } from './index-set.ts';
import { completionIndexOf, isIndexed } from './indexed-pod.ts';
import { isTracked, type Outcome, outcomeOf } from './pod-outcome.ts';

export interface JobCounts {
  readonly succeeded: number;
  readonly failed: number;
  /** UIDs of pods that are counted but still have the finalizer: they are not to be counted twice. */
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
  /** Indexes that are complete. They count instead of the pods that succeeded, if the job has indexes. */
  readonly completed: ReadonlySet<number> | undefined;
  /** If failures are limited for each index. */
  readonly byIndex: IndexFailures | undefined;
  /** Failures of pods that are kept: they count against the limit of the job, but are not noted yet. */
  readonly keptFailures: number;
  /** Pods that were not counted before. */
  readonly fresh: {
    readonly succeeded: readonly Stored<Pod>[];
    readonly failed: readonly Stored<Pod>[];
  };
  /** Finished pods whose finalizer may go once the status with their UIDs is written. */
  readonly release: readonly Stored<Pod>[];
}

/**
 * Counts every finished pod once, whatever is lost between two writes: a pod keeps its finalizer until its UID is in the
 * status, and its UID stays there until the finalizer is gone. An index that is complete stays so.
 */
export function countPods(job: Job, pods: readonly Stored<Pod>[]): JobCounts {
  const { status = {} } = job;
  const tracked = pods.filter(isTracked);
  const trackedUids = new Set(tracked.map(({ metadata }) => metadata.uid));
  const completed = isIndexed(job) ? completedIndexes(job, tracked) : undefined;
  const byIndex = completed && findIndexFailures(job, pods, completed);
  const kept = [...(byIndex?.kept.values() ?? [])];
  const settle = (uids: readonly string[] | undefined, outcome: Outcome) => {
    const waiting = (uids ?? []).filter((uid) => trackedUids.has(uid));
    const fresh = tracked
      .filter((pod) => outcomeOf(job, pod) === outcome && hasPlace(job, pod))
      .filter((pod) => !waiting.includes(pod.metadata.uid) && !kept.includes(pod));
    const counted = fresh.filter((pod) => counts(job, pod, outcome));
    const uncounted = [...waiting, ...counted.map(({ metadata }) => metadata.uid)];
    return { settled: (uids?.length ?? 0) - waiting.length, fresh, uncounted };
  };
  const succeeded = settle(status.uncountedTerminatedPods?.succeeded, 'Succeeded');
  const failed = settle(status.uncountedTerminatedPods?.failed, 'Failed');
  return {
    succeeded: completed?.size ?? (status.succeeded ?? 0) + succeeded.settled,
    failed: (status.failed ?? 0) + failed.settled,
    uncounted: { succeeded: succeeded.uncounted, failed: failed.uncounted },
    completed,
    byIndex,
    keptFailures: kept.filter((pod) => isCounted(job, pod)).length,
    fresh: { succeeded: succeeded.fresh, failed: failed.fresh },
    release: tracked.filter((pod) => outcomeOf(job, pod) !== undefined && !kept.includes(pod)),
  };
}

function hasPlace(job: Job, pod: Pod): boolean {
  return !isIndexed(job) || completionIndexOf(pod, job.spec?.completions ?? 0) !== undefined;
}

function counts(job: Job, pod: Stored<Pod>, outcome: Outcome): boolean {
  if (outcome === 'Succeeded') return !isIndexed(job);
  return isCounted(job, pod);
}

function completedIndexes(job: Job, tracked: readonly Stored<Pod>[]): ReadonlySet<number> {
  const { completions = 0 } = job.spec ?? {};
  const fresh = tracked
    .filter(({ status }) => status?.phase === 'Succeeded')
    .flatMap((pod) => completionIndexOf(pod, completions) ?? []);
  return new Set([...parseIndexes(job.status?.completedIndexes, completions), ...fresh]);
}
