import {
  type Deployment,
  findCondition,
  parseTime,
  type ReplicaSet,
  type Stored,
} from '@liqo/kube';
import type * as apps from 'kubernetes-types/apps/v1.d.ts';
import { omitZero } from '../omit-zero.ts';
import type { ReplicaSetStatus } from '../replica-set/replica-set-status.ts';
import {
  type Conditions,
  replaceDeploymentCondition,
  setDeploymentCondition,
} from './deployment-conditions.ts';
import { sizeOf } from './plan-rollout.ts';
import type { History } from './replica-set-history.ts';
import { maxUnavailable } from './rolling-limits.ts';

/** With the field that came in 1.35. */
export type DeploymentStatus = apps.DeploymentStatus & { readonly terminatingReplicas?: number };

/** The largest value of the field stands for "no deadline". */
const noDeadline = 2 ** 31 - 1;

export function hasProgressDeadline({ spec }: Deployment): boolean {
  return (spec?.progressDeadlineSeconds ?? noDeadline) !== noDeadline;
}

/** The counters and availability; progress is judged only while a rollout is worked on. */
export function planDeploymentStatus(
  deployment: Stored<Deployment>,
  { current, old }: History,
  nowMs: number,
): DeploymentStatus {
  const all = [...old, ...(current ? [current] : [])];
  const sum = (count: (one: ReplicaSet) => number | undefined) =>
    all.reduce((total, one) => total + (count(one) ?? 0), 0);
  const available = sum(({ status }) => status?.availableReplicas);
  const { collisionCount, conditions = [] } = deployment.status ?? {};
  return {
    ...omitZero({
      observedGeneration: deployment.metadata.generation,
      replicas: sum(({ status }) => status?.replicas),
      updatedReplicas: current?.status?.replicas,
      readyReplicas: sum(({ status }) => status?.readyReplicas),
      availableReplicas: available,
      unavailableReplicas: Math.max(0, sum(sizeOf) - available),
    }),
    terminatingReplicas: sum(({ status }) => (status as ReplicaSetStatus)?.terminatingReplicas),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: [...withAvailability(deployment, conditions, available, nowMs)],
  };
}

function withAvailability(
  deployment: Deployment,
  conditions: Conditions,
  available: number,
  nowMs: number,
): Conditions {
  const least = (deployment.spec?.replicas ?? 1) - maxUnavailable(deployment);
  const condition =
    available >= least
      ? ({
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        } as const)
      : ({
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        } as const);
  return setDeploymentCondition(conditions, { type: 'Available', ...condition }, nowMs);
}

export function isDeploymentComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = deployment.spec?.replicas ?? 1;
  const counts = [status.updatedReplicas, status.replicas, status.availableReplicas];
  const isObserved = (status.observedGeneration ?? 0) >= (deployment.metadata?.generation ?? 0);
  return isObserved && counts.every((count) => (count ?? 0) === wanted);
}

/** The same status with its judgement on the rollout: complete, progressing, or stuck for too long. */
export function withProgress(
  deployment: Stored<Deployment>,
  status: DeploymentStatus,
  history: History,
  nowMs: number,
): DeploymentStatus {
  const judged = judgeProgress(deployment, status, history.current, nowMs);
  const conditions = withFailure(judged, history, nowMs);
  return { ...status, conditions: [...conditions] };
}

function judgeProgress(
  deployment: Stored<Deployment>,
  status: DeploymentStatus,
  current: Stored<ReplicaSet> | undefined,
  nowMs: number,
): Conditions {
  const conditions = status.conditions ?? [];
  if (!hasProgressDeadline(deployment)) {
    return conditions.filter(({ type }) => type !== 'Progressing');
  }
  const progressing = findCondition(conditions, 'Progressing');
  const { replicas = 0, updatedReplicas = 0 } = status;
  if (replicas === updatedReplicas && progressing?.reason === 'NewReplicaSetAvailable') {
    return conditions;
  }
  const what = current
    ? `ReplicaSet "${current.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  const type = 'Progressing';
  if (isDeploymentComplete(deployment, status)) {
    const message = `${what} has successfully progressed.`;
    const reason = 'NewReplicaSetAvailable';
    return setDeploymentCondition(conditions, { type, status: 'True', reason, message }, nowMs);
  }
  if (hasAdvanced(deployment.status ?? {}, status)) {
    const message = `${what} is progressing.`;
    const reason = 'ReplicaSetUpdated';
    return replaceDeploymentCondition(conditions, { type, status: 'True', reason, message }, nowMs);
  }
  if (!isTimedOut(deployment, status, nowMs)) return conditions;
  const message = `${what} has timed out progressing.`;
  const reason = 'ProgressDeadlineExceeded';
  return setDeploymentCondition(conditions, { type, status: 'False', reason, message }, nowMs);
}

function hasAdvanced(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const oldOnes = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) =>
    replicas - updatedReplicas;
  const grew = (count: (status: DeploymentStatus) => number | undefined) =>
    (count(after) ?? 0) > (count(before) ?? 0);
  return (
    grew(({ updatedReplicas }) => updatedReplicas) ||
    oldOnes(after) < oldOnes(before) ||
    grew(({ readyReplicas }) => readyReplicas) ||
    grew(({ availableReplicas }) => availableReplicas)
  );
}

function isTimedOut(deployment: Deployment, status: DeploymentStatus, nowMs: number): boolean {
  const progressing = findCondition(status.conditions, 'Progressing');
  if (!progressing || progressing.reason === 'NewReplicaSetAvailable') return false;
  if (progressing.reason === 'ProgressDeadlineExceeded') return true;
  return deadlineMs(deployment, status) < nowMs;
}

function deadlineMs(deployment: Deployment, status: DeploymentStatus): number {
  const since = findCondition(status.conditions, 'Progressing')?.lastUpdateTime;
  const { progressDeadlineSeconds = noDeadline } = deployment.spec ?? {};
  return since ? parseTime(since) + progressDeadlineSeconds * 1000 : Number.POSITIVE_INFINITY;
}

/** When the deadline has to be looked at, in milliseconds from now; undefined if there is none to miss. */
export function progressCheckInMs(
  deployment: Deployment,
  status: DeploymentStatus,
  nowMs: number,
): number | undefined {
  const reason = findCondition(status.conditions, 'Progressing')?.reason;
  if (!hasProgressDeadline(deployment) || reason === undefined) return undefined;
  if (isDeploymentComplete(deployment, status)) return undefined;
  if (reason === 'ProgressDeadlineExceeded') return undefined;
  return Math.max(0, deadlineMs(deployment, status) - nowMs) + 1000;
}

/** The trouble of a ReplicaSet, the current one's first, is the Deployment's. */
function withFailure(conditions: Conditions, { current, old }: History, nowMs: number): Conditions {
  const type = 'ReplicaFailure';
  const failure = [...(current ? [current] : []), ...old]
    .map(({ status }) => findCondition(status?.conditions, type))
    .find((condition) => condition !== undefined);
  if (!failure) return conditions.filter((condition) => condition.type !== type);
  const { reason = '', message = '' } = failure;
  const status = failure.status === 'True' ? 'True' : 'False';
  return setDeploymentCondition(conditions, { type, status, reason, message }, nowMs);
}
