import {
  formatTime,
  labelQueryFromLabels,
  matchesLabels,
  type Pod,
  type ReplicaSet,
  removeCondition,
  type Stored,
  setCondition,
} from '@liqo/kube';
import type * as apps from 'kubernetes-types/apps/v1.d.ts';
import { omitZero } from '../omit-zero.ts';
import { isPodAvailable, isPodReady } from '../pod-state.ts';

/** With the field that came in 1.35. */
export type ReplicaSetStatus = apps.ReplicaSetStatus & { readonly terminatingReplicas?: number };

export interface ReplicaSetObservation {
  readonly active: readonly Stored<Pod>[];
  readonly terminating: readonly Stored<Pod>[];
  /** Why pods could not be created or deleted. */
  readonly failure?: Error | undefined;
}

export function planReplicaSetStatus(
  replicaSet: Stored<ReplicaSet>,
  { active, terminating, failure }: ReplicaSetObservation,
  nowMs: number,
): ReplicaSetStatus {
  const { minReadySeconds = 0, template } = replicaSet.spec ?? {};
  const labelled = labelQueryFromLabels(template?.metadata?.labels ?? {});
  const count = (holds: (pod: Stored<Pod>) => boolean) => active.filter(holds).length;
  const conditions = planConditions(replicaSet, active.length, failure, nowMs);
  return {
    replicas: active.length,
    ...omitZero({
      fullyLabeledReplicas: count((pod) => matchesLabels(labelled, pod.metadata.labels)),
      readyReplicas: count(isPodReady),
      availableReplicas: count((pod) => isPodAvailable(pod, minReadySeconds, nowMs)),
      observedGeneration: replicaSet.metadata.generation,
    }),
    terminatingReplicas: terminating.length,
    ...(conditions.length > 0 && { conditions }),
  };
}

function planConditions(
  replicaSet: Stored<ReplicaSet>,
  activeCount: number,
  failure: Error | undefined,
  nowMs: number,
): apps.ReplicaSetCondition[] {
  const type = 'ReplicaFailure';
  const conditions = replicaSet.status?.conditions ?? [];
  if (!failure) return removeCondition(conditions, type);
  if (conditions.some((condition) => condition.type === type)) return conditions;
  const tooFew = activeCount < (replicaSet.spec?.replicas ?? 1);
  const reason = tooFew ? 'FailedCreate' : 'FailedDelete';
  const condition = { type, status: 'True', reason, message: failure.message };
  return setCondition(conditions, condition, formatTime(nowMs));
}
