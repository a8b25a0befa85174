import type { Pod, Stored } from '@liqo/kube';
import type { JobStatus } from 'kubernetes-types/batch/v1.d.ts';
import { isPodTerminating } from '../pod-state.ts';

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

export interface JobCounts {
  readonly succeeded: number;
  readonly failed: number;
  /** UIDs of pods that are counted but still have the finalizer: they are not to be counted twice. */
  readonly uncounted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
  /** Finished pods whose finalizer may go once the status with their UIDs is written. */
  readonly release: readonly Stored<Pod>[];
}

export function isTracked(pod: Pod): boolean {
  return pod.metadata?.finalizers?.includes(trackingFinalizer) ?? false;
}

/**
 * Counts every finished pod once, whatever is lost between two writes: a pod keeps its finalizer until its UID is in the
 * status, and its UID stays there until the finalizer is gone.
 */
export function countPods(status: JobStatus, pods: readonly Stored<Pod>[]): JobCounts {
  const tracked = pods.filter(isTracked);
  const trackedUids = new Set(tracked.map(({ metadata }) => metadata.uid));
  const settle = (uids: readonly string[] | undefined, outcome: Outcome) => {
    const waiting = (uids ?? []).filter((uid) => trackedUids.has(uid));
    const fresh = tracked
      .filter((pod) => outcomeOf(pod) === outcome && !waiting.includes(pod.metadata.uid))
      .map(({ metadata }) => metadata.uid);
    return { settled: (uids?.length ?? 0) - waiting.length, uncounted: [...waiting, ...fresh] };
  };
  const succeeded = settle(status.uncountedTerminatedPods?.succeeded, 'Succeeded');
  const failed = settle(status.uncountedTerminatedPods?.failed, 'Failed');
  return {
    succeeded: (status.succeeded ?? 0) + succeeded.settled,
    failed: (status.failed ?? 0) + failed.settled,
    uncounted: { succeeded: succeeded.uncounted, failed: failed.uncounted },
    release: tracked.filter((pod) => outcomeOf(pod) !== undefined),
  };
}

type Outcome = 'Succeeded' | 'Failed';

/** A pod that is deleted before it could end has failed: nobody may be left to say so. */
function outcomeOf(pod: Pod): Outcome | undefined {
  if (pod.status?.phase === 'Succeeded') return 'Succeeded';
  return pod.status?.phase === 'Failed' || isPodTerminating(pod) ? 'Failed' : undefined;
}
