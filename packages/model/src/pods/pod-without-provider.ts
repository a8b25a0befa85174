import { deepEqual, type Pod, type Stored, setCondition } from '@liqo/kube';
import { type FinishedPhase, isFinished } from './finished-phase.ts';
import { type OffloadProblem, withProblem } from './offload-problem.ts';
import type { ContainerStatus, PodCondition, PodStatus } from './pod-status.ts';
import { endContainer } from './reflect-containers.ts';

/**
 * The status of a pod in a namespace that is not offloaded to the provider, or not any more; undefined if it is unchanged.
 * A pod none of whose containers has started waits, and starts when the namespace is offloaded again. A pod that has run
 * cannot become Pending again: it fails as the target of a disruption, so that its controller replaces it. The caller must
 * have read a NamespaceMap that does not mention the namespace: only then has the provider removed what the pod ran in.
 */
export function unmappedPodStatus(local: Stored<Pod>, now: string): PodStatus | undefined {
  const before: PodStatus = local.status ?? {};
  const isGoing = local.metadata.deletionTimestamp !== undefined;
  if (isFinished(before.phase) || isGoing) return undefined;
  const { namespace } = local.metadata;
  if (hasRun(before)) {
    const message = `The namespace "${namespace}" is no longer offloaded, and the provider has removed the pod with it`;
    return abortedPodStatus(before, message, now);
  }
  const message = `The namespace "${namespace}" is not offloaded to the provider`;
  const reason = 'OffloadingBackOff';
  const after: PodStatus = { ...withoutStart(before), phase: 'Pending', reason, message };
  return deepEqual(after, before) ? undefined : after;
}

/** A Job with a podFailurePolicy can tell this end from a failure of the pod itself. */
function abortedPodStatus(before: PodStatus, message: string, now: string): PodStatus {
  const reason = 'OffloadingAborted';
  const ended = endPodStatus(before, { phase: 'Failed', reason, now });
  const target = { type: 'DisruptionTarget', status: 'True' as const, reason, message };
  return { ...ended, message, conditions: setCondition(ended.conditions, target, now) };
}

/** Whether a container has started, at least once. Waiting for an image, a volume or a node is not running. */
function hasRun({
  phase = 'Pending',
  initContainerStatuses = [],
  containerStatuses = [],
}: PodStatus): boolean {
  const isStarted = ({ state, lastState, restartCount }: ContainerStatus) =>
    Boolean(state?.running ?? state?.terminated ?? lastState?.terminated) || restartCount > 0;
  return phase !== 'Pending' || [...initContainerStatuses, ...containerStatuses].some(isStarted);
}

const conditionsOfKubelet: readonly string[] = [
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
  'Ready',
];

/** The status without what the provider reported of a pod that it has removed before its first start. */
function withoutStart(before: PodStatus): PodStatus {
  const {
    startTime: _startTime,
    containerStatuses: _containers,
    initContainerStatuses: _init,
    podIP: _podIP,
    podIPs: _podIPs,
    hostIP: _hostIP,
    hostIPs: _hostIPs,
    conditions,
    ...rest
  } = before;
  const kept = conditions?.filter(({ type }) => !conditionsOfKubelet.includes(type));
  return { ...rest, ...(kept && { conditions: kept }) };
}

/** The status of a pod that the provider does not have, with the problem; undefined if unchanged, or if the pod has started. */
export function waitingPodStatus(
  local: Stored<Pod>,
  problem: OffloadProblem,
  now: string,
): PodStatus | undefined {
  const before: PodStatus = local.status ?? {};
  if (hasStarted(before)) return undefined;
  const { reason, message } = problem;
  const after = withProblem({ ...before, phase: 'Pending', reason, message }, problem, now);
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
  const { containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = before;
  return {
    ...before,
    phase,
    reason,
    conditions: ['ContainersReady', 'Ready'].reduce<PodCondition[]>(
      (all, type) => setCondition(all, { type, status: 'False', reason }, now),
      before.conditions ?? [],
    ),
    ...(containerStatuses && {
      containerStatuses: containerStatuses.map((one) => endContainer(one, end)),
    }),
    ...(initContainerStatuses && {
      initContainerStatuses: initContainerStatuses.map((one) => endContainer(one, end)),
    }),
    ...(ephemeralContainerStatuses && {
      ephemeralContainerStatuses: ephemeralContainerStatuses.map((one) => endContainer(one, end)),
    }),
  };
}

/** Whether anything of the pod is known to have run, or to be about to. */
export function hasStarted({ phase = 'Pending', containerStatuses = [] }: PodStatus): boolean {
  return phase !== 'Pending' || containerStatuses.length > 0;
}
