import type { VirtualNode } from '@liqo/api';
import { findCondition } from '@liqo/kube';
import { isReady } from '../nodes/remote-unavailable.ts';
import { countReady } from './count-ready.ts';
import type { ForeignClusterFacts, NewPeerCondition } from './foreign-cluster-facts.ts';

/** Undefined while no virtual node stands for the peer. */
export function offloadingConditions({
  virtualNodes,
  nodes,
}: ForeignClusterFacts): readonly NewPeerCondition[] | undefined {
  if (virtualNodes.length === 0) return undefined;
  const withNode = virtualNodes.filter(wantsNode);
  const readyNames = new Set(nodes.filter(isReady).map(({ metadata }) => metadata?.name));
  return [
    countReady({
      type: 'OffloadingVirtualNodeStatus',
      ready: virtualNodes.filter(runsKubelet).length,
      total: virtualNodes.length,
      noun: 'VirtualNodes',
      plural: 'virtual nodes',
    }),
    countReady({
      type: 'OffloadingNodeStatus',
      ready: withNode.filter(({ metadata }) => readyNames.has(metadata?.name)).length,
      total: withNode.length,
      noun: 'Nodes',
      plural: 'nodes',
    }),
  ];
}

function runsKubelet({ status }: VirtualNode): boolean {
  return findCondition(status?.conditions, 'VirtualKubelet')?.status === 'Running';
}

/** The default of `createNode` is in the VkOptionsTemplate: the condition of the VirtualNode tells what it is. */
function wantsNode({ spec, status }: VirtualNode): boolean {
  if (spec.createNode !== undefined) return spec.createNode;
  return findCondition(status?.conditions, 'Node')?.reason !== 'NotWanted';
}
