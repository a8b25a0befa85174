import { findCondition, type Pod, parseTime, type Stored } from '@liqo/kube';
import { createdMs, isPodReady } from '../pod-state.ts';

/** The same order as kube-controller-manager: the pods that are missed least come first. */
export function rankForDeletion(
  pods: readonly Stored<Pod>[],
  relatedPods: readonly Pod[],
  nowMs: number,
): readonly Stored<Pod>[] {
  const neighbours = countByNode(relatedPods);
  const keys = new Map(pods.map((pod) => [pod, sortKey(pod, neighbours)]));
  return pods.toSorted((a, b) => {
    const [one = [], other = []] = [keys.get(a), keys.get(b)];
    return compareKeys(one, other) || compareLives(a, b, nowMs);
  });
}

const phaseOrder: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Smaller goes first: no node, early phase, not ready, cheap, on a crowded node. */
function sortKey(pod: Pod, neighbours: ReadonlyMap<string, number>): readonly number[] {
  const { nodeName = '' } = pod.spec ?? {};
  return [
    nodeName ? 1 : 0,
    phaseOrder[pod.status?.phase ?? 'Pending'] ?? 0,
    isPodReady(pod) ? 1 : 0,
    deletionCost(pod),
    -(neighbours.get(nodeName) ?? 0),
  ];
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

/** Shortly ready goes before long ready, much restarted before little, young before old. */
function compareLives(a: Stored<Pod>, b: Stored<Pod>, nowMs: number): number {
  const tieBreak = a.metadata.uid < b.metadata.uid ? -1 : 1;
  const [readyA, readyB] = [readySinceMs(a), readySinceMs(b)];
  if (readyA !== readyB) return ageRank(readyA, nowMs) - ageRank(readyB, nowMs) || tieBreak;
  const restarts = maxRestarts(b) - maxRestarts(a);
  if (restarts !== 0) return restarts;
  const [createdA, createdB] = [createdMs(a), createdMs(b)];
  if (createdA === createdB) return 0;
  return ageRank(createdA, nowMs) - ageRank(createdB, nowMs) || tieBreak;
}

/** Ages count by their order of magnitude only, so that not always the youngest pod goes. */
function ageRank(sinceMs: number, nowMs: number): number {
  const ageNs = (nowMs - sinceMs) * 1e6;
  return ageNs > 0 ? Math.floor(Math.log2(ageNs)) : -1;
}

function readySinceMs(pod: Pod): number {
  const ready = findCondition(pod.status?.conditions, 'Ready');
  if (ready?.status !== 'True' || !ready.lastTransitionTime) return 0;
  return parseTime(ready.lastTransitionTime);
}

function deletionCost(pod: Pod): number {
  const cost = pod.metadata?.annotations?.['controller.kubernetes.io/pod-deletion-cost'];
  return /^(0|-?[1-9]\d*)$/.test(cost ?? '') ? Number(cost) : 0;
}

function maxRestarts(pod: Pod): number {
  const counts = pod.status?.containerStatuses?.map(({ restartCount }) => restartCount) ?? [];
  return Math.max(0, ...counts);
}

function countByNode(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { spec } of pods) {
    const node = spec?.nodeName ?? '';
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return counts;
}
