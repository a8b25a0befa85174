import { deepEqual, type Pod, type Stored, setCondition } from '@liqo/kube';
import { type FinishedPhase, isFinished } from './finished-phase.ts';
import type { PodCondition, PodStatus } from './pod-status.ts';
import { endContainer } from './reflect-containers.ts';

/**
 * The status of a pod in a namespace that is not offloaded to the provider, or not any more; nothing if it is good as it
 * is. A pod that never started waits. One that ran has lost what it ran in, because the provider removes a namespace with
 * everything in it: only for a NamespaceMap that was read and says so, never for one that could not be read.
 */
export function unmappedPodStatus(local: Stored<Pod>, now: string): PodStatus | undefined {
  const before: PodStatus = local.status ?? {};
  const isGoing = local.metadata.deletionTimestamp !== undefined;
  if (isFinished(before.phase) || isGoing) return undefined;
  if (!hasStarted(before)) {
    const message = `The namespace "${local.metadata.namespace}" is not offloaded to the provider`;
    return waitingPodStatus(local, 'OffloadingBackOff', message);
  }
  return endPodStatus(before, { phase: 'Failed', reason: 'OffloadingAborted', now });
}

/** The status of a pod that is not at the provider, and why; nothing if it says so already, or has started before. */
export function waitingPodStatus(
  local: Stored<Pod>,
  reason: string,
  message: string,
): PodStatus | undefined {
  const before: PodStatus = local.status ?? {};
  if (hasStarted(before)) return undefined;
  const after: PodStatus = { ...before, phase: 'Pending', reason, message };
  return deepEqual(after, before) ? undefined : after;
}

export interface PodEnd {
  readonly phase: FinishedPhase;
  readonly reason: string;
  readonly now: string;
}

/** The status of a pod of whose end no more is known than this. */
export function endPodStatus(before: PodStatus, { phase, reason, now }: PodEnd): PodStatus {
  const end = { exitCode: phase === 'Succeeded' ? 0 : 1, reason, now };
  const { containerStatuses, initContainerStatuses, conditions = [] } = before;
  return {
    ...before,
    phase,
    reason,
    conditions: ['ContainersReady', 'Ready'].reduce<PodCondition[]>(
      (all, type) => setCondition(all, { type, status: 'False', reason }, now),
      conditions,
    ),
    ...(containerStatuses && {
      containerStatuses: containerStatuses.map((one) => endContainer(one, end)),
    }),
    ...(initContainerStatuses && {
      initContainerStatuses: initContainerStatuses.map((one) => endContainer(one, end)),
    }),
  };
}

function hasStarted({ phase = 'Pending', containerStatuses = [] }: PodStatus): boolean {
  return phase !== 'Pending' || containerStatuses.length > 0;
}
