import { type DaemonSet, type Node, type Pod, parseTime, type Stored } from '@liqo/kube';
import type { DaemonSetStatus } from 'kubernetes-types/apps/v1.d.ts';
import { resolveIntOrPercent } from '../int-or-percent.ts';
import { omitZero } from '../omit-zero.ts';
import { isPodAvailable, isPodFinished, isPodReady, isPodTerminating } from '../pod-state.ts';
import { fitNode, hashLabel, nodeOf } from './daemon-pod.ts';

export interface DaemonSetInputs {
  readonly set: Stored<DaemonSet>;
  readonly nodes: readonly Stored<Node>[];
  readonly pods: readonly Stored<Pod>[];
  /** Of the present template. */
  readonly hash: string;
}

export interface DaemonSetPlan {
  /** Names of nodes that lack a pod. */
  readonly create: readonly string[];
  readonly remove: readonly Stored<Pod>[];
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
export function planDaemonSet(inputs: DaemonSetInputs, nowMs: number): DaemonSetPlan {
  const { set, nodes, pods } = inputs;
  if (set.metadata.deletionTimestamp) return { create: [], remove: [] };
  const byNode = podsByNode(pods);
  const steps = nodes.map((node) => planNode(set, node, byNode.get(node.metadata.name) ?? []));
  const create = steps.flatMap((step) => step.create);
  const remove = steps.flatMap((step) => step.remove);
  if (create.length + remove.length > 0) return { create, remove };
  return { create, remove: planUpdate(inputs, byNode, nowMs) };
}

function planNode(
  set: Stored<DaemonSet>,
  node: Stored<Node>,
  pods: readonly Stored<Pod>[],
): DaemonSetPlan {
  const { shouldRun, mayStay } = fitNode(set.spec?.template, node);
  const staying = pods.filter((pod) => !isPodTerminating(pod));
  if (!mayStay) return { create: [], remove: staying };
  const [finished, running] = [
    staying.filter(isPodFinished),
    staying.filter((one) => !isPodFinished(one)),
  ];
  const surplus = running.slice(1);
  const create = shouldRun && pods.length === 0 ? [node.metadata.name] : [];
  return { create, remove: [...finished, ...surplus] };
}

/** Pods of an old template: those that do not work at once, the others as far as availability allows. */
function planUpdate(
  { set, nodes, hash }: DaemonSetInputs,
  byNode: ReadonlyMap<string, Stored<Pod>[]>,
  nowMs: number,
): readonly Stored<Pod>[] {
  if (set.spec?.updateStrategy?.type === 'OnDelete') return [];
  const { minReadySeconds = 0 } = set.spec ?? {};
  const wanted = nodes.filter((node) => fitNode(set.spec?.template, node).shouldRun);
  const limit = maxUnavailable(set, wanted.length);
  let unavailable = 0;
  const broken: Stored<Pod>[] = [];
  const working: Stored<Pod>[] = [];
  for (const node of wanted) {
    const [pod] = byNode.get(node.metadata.name) ?? [];
    const isAvailable =
      pod && !isPodTerminating(pod) && isPodAvailable(pod, minReadySeconds, nowMs);
    if (!isAvailable) unavailable += 1;
    if (!pod || isPodTerminating(pod) || pod.metadata.labels?.[hashLabel] === hash) continue;
    (isAvailable ? working : broken).push(pod);
  }
  return [...broken, ...working.slice(0, Math.max(0, limit - unavailable))];
}

function maxUnavailable({ spec }: DaemonSet, wanted: number): number {
  const { maxUnavailable: limit = 1 } = spec?.updateStrategy?.rollingUpdate ?? {};
  return Math.max(1, resolveIntOrPercent(limit, wanted, 'up'));
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
