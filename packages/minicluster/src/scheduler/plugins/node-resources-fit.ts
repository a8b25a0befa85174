import type { NodeInfo } from '../node-info.ts';
import type { FilterPlugin, Rejection } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';

export const nodeResourcesFit: FilterPlugin = {
  name: 'NodeResourcesFit',
  prepare: (pod) => (node) => rejectionOf(pod, node),
};

function rejectionOf(pod: PodInfo, node: NodeInfo): Rejection | undefined {
  const short = [...pod.requests].filter(([name, amount]) => amount > freeOf(node, name));
  const isFull = node.podCount + 1 > (node.allocatable.get('pods') ?? 0);
  if (short.length === 0 && !isFull) return undefined;
  return {
    reasons: [
      ...(isFull ? ['Too many pods'] : []),
      ...short.map(([name]) => `Insufficient ${name}`),
    ],
    resolvable: short.every(([name, amount]) => amount <= (node.allocatable.get(name) ?? 0)),
  };
}

/** Who asks for nothing of a resource is not refused for it, even where there is less than nothing left. */
function freeOf(node: NodeInfo, name: string): number {
  const free = (node.allocatable.get(name) ?? 0) - (node.requested.get(name) ?? 0);
  return Math.max(0, free);
}
