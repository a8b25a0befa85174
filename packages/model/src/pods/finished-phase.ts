import { findCondition, type Pod, parseTime } from '@liqo/kube';

export type FinishedPhase = 'Failed' | 'Succeeded';

/** Whether a phase is one that a pod never leaves. */
export function isFinished(phase: string | undefined): phase is FinishedPhase {
  return phase === 'Succeeded' || phase === 'Failed';
}

/**
 * The phase in which the work of a pod has ended for good. A pod that is deleted while it runs shows one of these phases
 * too, because the kubelet ends it so on its way out (KEP-3329); that says something about the deletion, not about the
 * work, which may go on in another pod.
 */
export function finishedPhase(pod: Pod): FinishedPhase | undefined {
  const { phase } = pod.status ?? {};
  if (!isFinished(phase) || isCollected(pod)) return undefined;
  const requestedMs = deletionRequestedMs(pod);
  const isDone = requestedMs === undefined || isDoneAnyway(pod, phase, requestedMs);
  return isDone ? phase : undefined;
}

/** The garbage collector of pods fails them before it removes them, because their node is gone. */
function isCollected({ status }: Pod): boolean {
  const disruption = findCondition(status?.conditions, 'DisruptionTarget');
  return disruption?.status === 'True' && disruption.reason === 'DeletionByPodGC';
}

function deletionRequestedMs({ metadata }: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata ?? {};
  if (!deletionTimestamp) return undefined;
  return parseTime(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

function isDoneAnyway(pod: Pod, phase: FinishedPhase, requestedMs: number): boolean {
  const { restartPolicy = 'Always' } = pod.spec ?? {};
  if (phase === 'Succeeded' && restartPolicy !== 'Always') return true;
  // The kubelet gives a reason when it ends a pod on its own account (Evicted, DeadlineExceeded), and none here.
  if (pod.status?.reason) return true;
  return restartPolicy === 'Never' && endedBefore(pod, requestedMs);
}

function endedBefore({ status }: Pod, requestedMs: number): boolean {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const ends = statuses.flatMap(({ state }) => state?.terminated ?? []);
  return (
    ends.length > 0 &&
    ends.every(({ finishedAt }) => finishedAt && parseTime(finishedAt) <= requestedMs)
  );
}
