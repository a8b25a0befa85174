import type { Pod, StatefulSet, Stored } from '@liqo/kube';
import { isPodAvailable, isPodFinished, isPodReady, isPodTerminating } from '../pod-state.ts';
import { ordinalOf, revisionOf } from './stateful-pod.ts';

export interface StatefulSetInputs {
  readonly set: Stored<StatefulSet>;
  readonly pods: readonly Stored<Pod>[];
  /** The name of the revision that all pods are to have in the end. */
  readonly updateRevision: string;
}

export interface StatefulSetPlan {
  /** Numbers of pods to make, and whether of the revision before the update. */
  readonly create: readonly { readonly ordinal: number; readonly revision: 'current' | 'update' }[];
  readonly remove: readonly Stored<Pod>[];
}

type Step = Partial<StatefulSetPlan> & { readonly stop?: boolean };

const nothing: StatefulSetPlan = { create: [], remove: [] };

/**
 * What to do next. In order, one thing at a time and each pod only when all before it are available; in parallel, all at
 * once. Pods beyond the wanted number go from the highest number down; then pods of an old revision do.
 */
export function planStatefulSet(inputs: StatefulSetInputs, nowMs: number): StatefulSetPlan {
  const { set } = inputs;
  if (set.metadata.deletionTimestamp) return nothing;
  const inOrder = set.spec?.podManagementPolicy !== 'Parallel';
  const steps = [...fillSteps(inputs, inOrder, nowMs), ...condemnSteps(inputs, inOrder, nowMs)];
  const taken: Step[] = [];
  for (const step of steps) {
    taken.push(step);
    if (step.stop && inOrder) break;
  }
  const plan = {
    create: taken.flatMap(({ create = [] }) => create),
    remove: taken.flatMap(({ remove = [] }) => remove),
  };
  const isBusy = plan.create.length + plan.remove.length > 0;
  if (isBusy || taken.some(({ stop }) => stop && inOrder)) return plan;
  return { ...nothing, remove: planUpdate(inputs, nowMs) };
}

function firstOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

function replicaSlots({ set, pods }: StatefulSetInputs) {
  const start = firstOrdinal(set);
  const { replicas = 1 } = set.spec ?? {};
  return Array.from({ length: replicas }, (_, index) => {
    const ordinal = start + index;
    return { ordinal, pod: pods.find((pod) => ordinalOf(set, pod) === ordinal) };
  });
}

function fillSteps(inputs: StatefulSetInputs, inOrder: boolean, nowMs: number): readonly Step[] {
  const { set } = inputs;
  return replicaSlots(inputs).map(({ ordinal, pod }): Step => {
    if (!pod) return { create: [{ ordinal, revision: revisionFor(set, ordinal) }], stop: true };
    if (isPodFinished(pod))
      return isPodTerminating(pod) ? { stop: true } : { remove: [pod], stop: true };
    return { stop: inOrder && (isPodTerminating(pod) || isUnavailable(set, pod, nowMs)) };
  });
}

function revisionFor(set: Stored<StatefulSet>, ordinal: number): 'current' | 'update' {
  const { updateStrategy } = set.spec ?? {};
  const start = firstOrdinal(set);
  if (updateStrategy?.rollingUpdate) {
    const { partition = 0 } = updateStrategy.rollingUpdate;
    return ordinal < start + partition ? 'current' : 'update';
  }
  const isRolling = updateStrategy?.type === 'RollingUpdate';
  const { currentReplicas = 0 } = set.status ?? {};
  return isRolling && ordinal < start + currentReplicas ? 'current' : 'update';
}

function isUnavailable(set: Stored<StatefulSet>, pod: Stored<Pod>, nowMs: number): boolean {
  const isRunning = pod.status?.phase === 'Running' && isPodReady(pod);
  return !isRunning || !isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, nowMs);
}

function condemnSteps(inputs: StatefulSetInputs, inOrder: boolean, nowMs: number): readonly Step[] {
  const { set, pods } = inputs;
  const start = firstOrdinal(set);
  const end = start + (set.spec?.replicas ?? 1);
  const numbered = pods
    .map((pod) => ({ pod, ordinal: ordinalOf(set, pod) ?? -1 }))
    .toSorted((a, b) => b.ordinal - a.ordinal);
  const condemned = numbered
    .filter(({ ordinal }) => ordinal >= 0 && (ordinal < start || ordinal >= end))
    .map(({ pod }) => pod);
  const firstUnhealthy = condemned.findLast((pod) => isUnavailable(set, pod, nowMs));
  return condemned.map((pod): Step => {
    if (isPodTerminating(pod)) return { stop: inOrder };
    const waits = inOrder && isUnavailable(set, pod, nowMs) && pod !== firstUnhealthy;
    return waits ? { stop: true } : { remove: [pod], stop: true };
  });
}

/** The highest pod of an old revision, if all above it are available. */
function planUpdate(inputs: StatefulSetInputs, nowMs: number): readonly Stored<Pod>[] {
  const { set, updateRevision } = inputs;
  if (set.spec?.updateStrategy?.type === 'OnDelete') return [];
  const { partition = 0 } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  for (const { pod } of replicaSlots(inputs).slice(partition).toReversed()) {
    if (!pod) return [];
    if (revisionOf(pod) !== updateRevision && !isPodTerminating(pod)) return [pod];
    if (isPodTerminating(pod) || isUnavailable(set, pod, nowMs)) return [];
  }
  return [];
}
