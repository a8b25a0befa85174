import { type DaemonSet, type Node, type Pod, parseTime, type Stored } from '@liqo/kube';
import type { DaemonSetStatus } from 'kubernetes-types/apps/v1.d.ts';
import { omitZero } from '../omit-zero.ts';
import { isPodAvailable, isPodFinished, isPodReady, isPodTerminating } from '../pod-state.ts';
import { fitNode, hashLabel, nodeOf } from './daemon-pod.ts';
import { allowsSurge, planDaemonUpdate } from './plan-daemon-update.ts';

export interface DaemonSetInputs {
  readonly set: Stored<DaemonSet>;
  readonly nodes: readonly Stored<Node>[];
  readonly pods: readonly Stored<Pod>[];
  /** Of the present template. */
  readonly hash: string;
}

export interface DaemonSetSituation extends DaemonSetInputs {
  /** Whether a pod that failed may not be replaced yet. */
  readonly isHeld: (pod: Stored<Pod>) => boolean;
}

export interface DaemonSetPlan {
  /** Names of nodes that lack a pod. */
  readonly create: readonly string[];
  readonly remove: readonly Stored<Pod>[];
  /** Also to be removed: they ended, though they are meant to run for ever. */
  readonly finished: readonly Stored<Pod>[];
}

/** The oldest first: it is the one that stays. */
function podsByNode(pods: readonly Stored<Pod>[]): ReadonlyMap<string, Stored<Pod>[]> {
  const byNode = new Map<string, Stored<Pod>[]>();
  const age = ({ metadata }: Stored<Pod>) => parseTime(metadata.creationTimestamp);
  for (const pod of pods.toSorted((a, b) => age(a) - age(b))) {
    const node = nodeOf(pod);
    if (node !== undefined) byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  return byNode;
}

/** First one pod on every node that should have one, and none elsewhere. When that holds, a step of an update. */
export function planDaemonSet(inputs: DaemonSetSituation, nowMs: number): DaemonSetPlan {
  const { set, nodes, pods } = inputs;
  if (set.metadata.deletionTimestamp) return { create: [], remove: [], finished: [] };
  const byNode = podsByNode(pods);
  const steps = nodes.map((node) =>
    planNode(inputs, node, byNode.get(node.metadata.name) ?? [], nowMs),
  );
  const create = steps.flatMap((step) => step.create);
  const remove = steps.flatMap((step) => step.remove);
  const finished = steps.flatMap((step) => step.finished);
  if (create.length + remove.length + finished.length > 0) return { create, remove, finished };
  return planDaemonUpdate(inputs, byNode, nowMs);
}

function planNode(
  inputs: DaemonSetSituation,
  node: Stored<Node>,
  pods: readonly Stored<Pod>[],
  nowMs: number,
): DaemonSetPlan {
  const { set } = inputs;
  const { shouldRun, mayStay } = fitNode(set.spec?.template, node);
  const staying = pods.filter((pod) => !isPodTerminating(pod));
  if (!mayStay) return { create: [], remove: staying, finished: [] };
  const finished = staying.filter((pod) => isPodFinished(pod) && !inputs.isHeld(pod));
  const running = staying.filter((one) => !isPodFinished(one));
  const surges = allowsSurge(set);
  const surplus = surges ? surplusWhenSurging(inputs, running, nowMs) : running.slice(1);
  const isMissing = pods.length === 0 || (surges && running.length === 0);
  const create = shouldRun && isMissing ? [node.metadata.name] : [];
  return { create, remove: surplus, finished };
}

/** While one replaces the other there may be two: an old one that is ready, and a new one that is not available yet. */
function surplusWhenSurging(
  { set, hash }: DaemonSetInputs,
  running: readonly Stored<Pod>[],
  nowMs: number,
): readonly Stored<Pod>[] {
  const isFresh = (pod: Stored<Pod>) => pod.metadata.labels?.[hashLabel] === hash;
  const [fresh, ...otherFresh] = running.filter(isFresh);
  const [old, ...otherOld] = running.filter((pod) => !isFresh(pod));
  const isReplaced =
    fresh &&
    old &&
    (!isPodReady(old) || isPodAvailable(fresh, set.spec?.minReadySeconds ?? 0, nowMs));
  return [...otherFresh, ...otherOld, ...(isReplaced ? [old] : [])];
}

export function planDaemonSetStatus(inputs: DaemonSetInputs, nowMs: number): DaemonSetStatus {
  const { set, nodes, pods, hash } = inputs;
  const byNode = podsByNode(pods);
  const { minReadySeconds = 0 } = set.spec ?? {};
  const firstOf = (node: Stored<Node>) => byNode.get(node.metadata.name)?.[0];
  const fits = (node: Stored<Node>) => fitNode(set.spec?.template, node).shouldRun;
  const wanted = nodes.filter(fits);
  const scheduled = wanted.flatMap((node) => firstOf(node) ?? []);
  const count = (holds: (pod: Stored<Pod>) => boolean) => scheduled.filter(holds).length;
  const available = count((pod) => isPodAvailable(pod, minReadySeconds, nowMs));
  return {
    currentNumberScheduled: scheduled.length,
    desiredNumberScheduled: wanted.length,
    numberMisscheduled: nodes.filter((node) => !fits(node) && firstOf(node)).length,
    numberReady: count(isPodReady),
    ...omitZero({
      updatedNumberScheduled: count((pod) => pod.metadata.labels?.[hashLabel] === hash),
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
      observedGeneration: set.metadata.generation,
    }),
  };
}
