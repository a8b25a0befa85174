import type { Json, Patch } from '@liqo/kube';
import { strategicMergePatch } from '@liqo/kube';
import type { PodStatus } from 'kubernetes-types/core/v1.d.ts';

/** Conditions that are there only for as long as they are true. */
const passing: readonly string[] = ['PodResizePending', 'PodResizeInProgress'];

/**
 * Writes a status without touching the conditions of others: they are merged by type. What a condition or the pod no
 * longer has must be said to go. The UID keeps it from a later pod of the same name.
 */
export function statusPatch(uid: string, status: PodStatus): Patch {
  const conditions = (status.conditions ?? []).map((condition) => ({
    reason: null,
    message: null,
    lastProbeTime: null,
    ...condition,
  }));
  const over = passing.filter((type) => !conditions.some((one) => one.type === type));
  const removed = over.map((type) => ({ $patch: 'delete', type }));
  const patch = {
    metadata: { uid },
    status: { ...status, conditions: [...conditions, ...removed] },
  };
  return strategicMergePatch(patch as unknown as Json);
}
