import { type NewCondition, type Pod, setCondition } from '@liqo/kube';
import type { PodCondition, PodStatus } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerRole, ContainerView } from './container-view.ts';
import { forgeContainerStatus } from './forge-container-status.ts';
import { type PodConditionFacts, podConditions } from './pod-conditions.ts';
import { type PodPhase, podPhase } from './pod-phase.ts';

/** What a node knows of a pod that it runs. */
export interface PodFacts {
  readonly pod: Pod;
  readonly containers: readonly ContainerView[];
  readonly hostIP: string;
  /** Absent until the pod has its network. */
  readonly podIP: string | undefined;
  readonly hasSandbox: boolean;
  readonly startTime: string;
  /** No container will be started again. */
  readonly isEnding: boolean;
  /** None runs any more either: the status is the last one. */
  readonly isOver: boolean;
  /** What there is to say of a resize. */
  readonly resize?: readonly PodConditionFacts[] | undefined;
  /** Why the pod was given up, whatever its containers did. */
  readonly failure?: { readonly reason: string; readonly message: string } | undefined;
}

/** The status as the kubelet writes it. Conditions keep the time at which they became what they are in `before`. */
export function forgePodStatus(facts: PodFacts, before: PodStatus, now: string): PodStatus {
  const { pod, failure, resize = [] } = facts;
  const containers = facts.containers.filter(({ role }) => role !== 'ephemeral');
  const phase = phaseOf({ ...facts, containers }, before);
  const generation = pod.metadata?.generation;
  const own = podConditions({ pod, containers, phase, hasSandbox: facts.hasSandbox });
  const conditions = [...resize, ...own].map((condition) =>
    datedCondition({ ...observed(generation), ...condition }, before, now),
  );
  const statuses = (...roles: readonly ContainerRole[]) =>
    facts.containers.filter(({ role }) => roles.includes(role)).map(forgeContainerStatus);
  const inits = statuses('init', 'sidecar');
  const ephemeral = statuses('ephemeral');
  return {
    ...observed(generation),
    phase,
    ...failure,
    conditions,
    hostIP: facts.hostIP,
    hostIPs: [{ ip: facts.hostIP }],
    ...(facts.podIP && { podIP: facts.podIP, podIPs: [{ ip: facts.podIP }] }),
    startTime: facts.startTime,
    ...(inits.length > 0 && { initContainerStatuses: inits }),
    containerStatuses: statuses('main'),
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
    qosClass: before.qosClass ?? 'BestEffort',
  };
}

/** Nobody comes back from the end. */
function phaseOf(facts: PodFacts, before: PodStatus): PodPhase {
  const { pod, containers, isEnding, isOver, failure } = facts;
  if (before.phase === 'Succeeded' || before.phase === 'Failed') return before.phase;
  if (failure) return 'Failed';
  const phase = podPhase(containers, pod.spec?.restartPolicy, isEnding);
  return isOver && phase !== 'Succeeded' ? 'Failed' : phase;
}

/** Of the spec that the node acts upon (KEP-5067). */
function observed(generation: number | undefined): { observedGeneration?: number } {
  return generation === undefined ? {} : { observedGeneration: generation };
}

function datedCondition(
  condition: NewCondition<PodCondition>,
  before: PodStatus,
  now: string,
): PodCondition {
  const old = (before.conditions ?? []).filter(({ type }) => type === condition.type);
  const [dated] = setCondition(old, condition, now);
  return { ...condition, lastTransitionTime: dated?.lastTransitionTime ?? now };
}
