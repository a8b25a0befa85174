import type { NodeInfo } from '../node-info.ts';
import { maxScore, type ScorePlugin } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';

const resources = ['cpu', 'memory'];

/** The more of a node would be left, the better. */
export const leastAllocated: ScorePlugin = {
  name: 'NodeResourcesFit',
  weight: 1,
  score: (pod, nodes) => nodes.map((node) => freeShare(pod, node)),
};

function freeShare(pod: PodInfo, node: NodeInfo): number {
  const scores = resources.flatMap((name) => {
    const capacity = node.allocatable.get(name) ?? 0;
    if (capacity === 0) return [];
    const requested = (node.scoredRequested.get(name) ?? 0) + (pod.scoredRequests.get(name) ?? 0);
    return [Math.max(0, Math.trunc(((capacity - requested) * maxScore) / capacity))];
  });
  const sum = scores.reduce((total, score) => total + score, 0);
  return scores.length === 0 ? 0 : Math.trunc(sum / scores.length);
}
