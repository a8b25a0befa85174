import type { NodeInfo } from '../node-info.ts';
import { maxScore, type ScorePlugin } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';

/** A node whose CPU and memory would be used to the same degree wastes neither. */
export const balancedAllocation: ScorePlugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  score: (pod, nodes) => {
    const isBestEffort = !pod.requests.get('cpu') && !pod.requests.get('memory');
    return isBestEffort ? undefined : nodes.map((node) => balance(pod, node));
  },
};

function balance(pod: PodInfo, node: NodeInfo): number {
  const [cpu, memory] = [usedShare('cpu', pod, node), usedShare('memory', pod, node)];
  if (cpu === undefined || memory === undefined) return maxScore;
  return Math.trunc((1 - Math.abs((cpu - memory) / 2)) * maxScore);
}

function usedShare(name: string, pod: PodInfo, node: NodeInfo): number | undefined {
  const capacity = node.allocatable.get(name) ?? 0;
  if (capacity === 0) return undefined;
  const requested = (node.requested.get(name) ?? 0) + (pod.requests.get(name) ?? 0);
  return Math.min(1, requested / capacity);
}
