import { findCondition, type Pod } from '@liqo/kube';
import type { ContainerView } from './container-view.ts';
import type { PodPhase } from './pod-phase.ts';

export interface PodConditionFacts {
  readonly type: string;
  readonly status: 'False' | 'True';
  readonly reason?: string;
  readonly message?: string;
  /** Of the spec it was found for, if that is not the newest. */
  readonly observedGeneration?: number;
}

export interface ConditionInput {
  readonly pod: Pod;
  readonly containers: readonly ContainerView[];
  readonly phase: PodPhase;
  /** Whether the pod has its network. */
  readonly hasSandbox: boolean;
}

/** The conditions that are the kubelet's to set, in its order. */
export function podConditions(input: ConditionInput): readonly PodConditionFacts[] {
  const containersReady = containersReadyCondition(input);
  return [
    { type: 'PodReadyToStartContainers', status: input.hasSandbox ? 'True' : 'False' },
    initializedCondition(input),
    readyCondition(input.pod, containersReady),
    containersReady,
    { type: 'PodScheduled', status: 'True' },
  ];
}

function initializedCondition({ containers, phase }: ConditionInput): PodConditionFacts {
  const type = 'Initialized';
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' };
  const hasBegun = containers.some(({ role, containerID }) => role === 'main' && containerID);
  const incomplete = containers.filter((one) => !hasBegun && !isInitialized(one));
  if (incomplete.length === 0) return { type, status: 'True' };
  const message = `containers with incomplete status: ${namesOf(incomplete)}`;
  return { type, status: 'False', reason: 'ContainersNotInitialized', message };
}

function isInitialized({ role, started, ready }: ContainerView): boolean {
  if (role === 'main') return true;
  return role === 'sidecar' ? started : ready;
}

function containersReadyCondition({ containers, phase }: ConditionInput): PodConditionFacts {
  const type = 'ContainersReady';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const unready = containers.filter(({ role, ready }) => role !== 'init' && !ready);
  if (unready.length === 0) return { type, status: 'True' };
  const message = `containers with unready status: ${namesOf(unready)}`;
  return { type, status: 'False', reason: 'ContainersNotReady', message };
}

function readyCondition(pod: Pod, containersReady: PodConditionFacts): PodConditionFacts {
  const type = 'Ready';
  if (containersReady.status !== 'True') return { ...containersReady, type };
  const faults = (pod.spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const condition = findCondition(pod.status?.conditions, conditionType);
    if (condition?.status === 'True') return [];
    return condition
      ? [
          `the status of pod readiness gate "${conditionType}" is not "True", but ${condition.status}`,
        ]
      : [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
  });
  if (faults.length === 0) return { type, status: 'True' };
  return { type, status: 'False', reason: 'ReadinessGatesNotReady', message: faults.join(', ') };
}

/** As Go prints a list. */
function namesOf(containers: readonly ContainerView[]): string {
  return `[${containers.map(({ spec }) => spec.name).join(' ')}]`;
}
