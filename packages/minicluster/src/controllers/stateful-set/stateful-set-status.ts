import type { Pod, StatefulSet, Stored } from '@liqo/kube';
import type { StatefulSetStatus } from 'kubernetes-types/apps/v1.d.ts';
import { omitZero } from '../omit-zero.ts';
import { isPodAvailable, isPodReady, isPodTerminating } from '../pod-state.ts';
import { revisionOf } from './stateful-pod.ts';

export interface StatefulSetRevisions {
  readonly current: string;
  readonly update: string;
}

export function planStatefulSetStatus(
  set: Stored<StatefulSet>,
  pods: readonly Stored<Pod>[],
  revisions: StatefulSetRevisions,
  nowMs: number,
): StatefulSetStatus {
  const { minReadySeconds = 0 } = set.spec ?? {};
  const count = (holds: (pod: Stored<Pod>) => boolean) => pods.filter(holds).length;
  const isReady = (pod: Stored<Pod>) => pod.status?.phase === 'Running' && isPodReady(pod);
  const isOf = (revision: string) => (pod: Stored<Pod>) =>
    !isPodTerminating(pod) && revisionOf(pod) === revision;
  const counters = {
    readyReplicas: count(isReady),
    currentReplicas: count(isOf(revisions.current)),
    updatedReplicas: count(isOf(revisions.update)),
  };
  const isComplete = isUpdateComplete(set, pods.length, counters);
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: pods.length,
    availableReplicas: count((pod) => isReady(pod) && isPodAvailable(pod, minReadySeconds, nowMs)),
    collisionCount: set.status?.collisionCount ?? 0,
    currentRevision: isComplete ? revisions.update : revisions.current,
    updateRevision: revisions.update,
    ...omitZero({
      ...counters,
      currentReplicas: isComplete ? counters.updatedReplicas : counters.currentReplicas,
    }),
  };
}

/** Then the update's revision is the current one. */
function isUpdateComplete(
  set: Stored<StatefulSet>,
  total: number,
  counters: { readonly readyReplicas: number; readonly updatedReplicas: number },
): boolean {
  const { replicas = 1, updateStrategy } = set.spec ?? {};
  const counts = [total, counters.readyReplicas, counters.updatedReplicas];
  return updateStrategy?.type === 'RollingUpdate' && counts.every((one) => one === replicas);
}
