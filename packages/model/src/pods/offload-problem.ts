import { findCondition, removeCondition, setCondition } from '@liqo/kube';
import type { PodStatus } from './pod-status.ts';

/** Why the provider does not have the pod as it is at the consumer. */
export interface OffloadProblem {
  readonly reason: string;
  readonly message: string;
}

/** On a pod of the consumer: `False` while there is a problem, absent otherwise. */
const acceptedCondition = 'offloading.liqo.io/Accepted';

/** The reasons of problems that end when the provider accepts a write which it denied before. */
export const denialReasons = {
  create: 'ShadowPodDenied',
  update: 'ShadowPodUpdateDenied',
} as const;

/** The status with the problem in its conditions, and without an earlier one. */
export function withProblem(
  status: PodStatus,
  problem: OffloadProblem | undefined,
  now: string,
): PodStatus {
  const { conditions = [] } = status;
  if (problem) {
    const { reason, message } = problem;
    const condition = { type: acceptedCondition, status: 'False' as const, reason, message };
    return { ...status, conditions: setCondition(conditions, condition, now) };
  }
  const earlier = findCondition(conditions, acceptedCondition);
  if (!earlier) return status;
  const { reason, message, ...others } = status;
  const isReason = reason === earlier.reason;
  return {
    ...(isReason ? others : status),
    conditions: removeCondition(conditions, acceptedCondition),
  };
}

/** Whether the last problem of the pod was a denied write. */
export function wasDenied({ conditions }: PodStatus): boolean {
  const reason = findCondition(conditions, acceptedCondition)?.reason;
  return reason === denialReasons.create || reason === denialReasons.update;
}
