import { findCondition, formatTime } from '@liqo/kube';
import type { DeploymentCondition } from 'kubernetes-types/apps/v1.d.ts';

export type Conditions = readonly DeploymentCondition[];

export interface NewDeploymentCondition {
  readonly type: 'Available' | 'Progressing' | 'ReplicaFailure';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/**
 * A condition counts as unchanged while status and reason are, whatever its message. A changed one moves to the end of
 * the list, as in kube-controller-manager.
 */
export function setDeploymentCondition(
  conditions: Conditions,
  condition: NewDeploymentCondition,
  nowMs: number,
): Conditions {
  const old = findCondition(conditions, condition.type);
  if (old?.status === condition.status && old.reason === condition.reason) return conditions;
  return replaceDeploymentCondition(conditions, condition, nowMs);
}

/** The same even if only the message, or the time of the last update, is new. */
export function replaceDeploymentCondition(
  conditions: Conditions,
  condition: NewDeploymentCondition,
  nowMs: number,
): Conditions {
  const old = findCondition(conditions, condition.type);
  const now = formatTime(nowMs);
  const since = old?.status === condition.status ? old.lastTransitionTime : undefined;
  const next = { ...condition, lastUpdateTime: now, lastTransitionTime: since ?? now };
  return [...conditions.filter(({ type }) => type !== condition.type), next];
}
