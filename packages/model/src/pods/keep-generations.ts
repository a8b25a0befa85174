import { findCondition } from '@liqo/kube';
import type { PodStatus } from './pod-status.ts';

/**
 * The status as the API server stores it: which generation of the pod was observed stays where the new status does not say it.
 * Without it, the same status would be written again and again.
 */
export function keepGenerations(next: PodStatus, before: PodStatus = {}): PodStatus {
  const { conditions } = next;
  if (!conditions) return next;
  const kept = conditions.map((condition) => {
    if (condition.observedGeneration !== undefined) return condition;
    const observedGeneration = findCondition(before.conditions, condition.type)?.observedGeneration;
    return observedGeneration === undefined ? condition : { ...condition, observedGeneration };
  });
  return { ...next, conditions: kept };
}
