import { ForeignCluster, labels, labelValues, VirtualNode } from '@liqo/api';
import { type Client, Node } from '@liqo/kube';
import type { PeerFacts } from './cluster-info.ts';

export async function readPeerFacts(client: Client, signal: AbortSignal): Promise<PeerFacts> {
  const labelSelector = `${labels.type}=${labelValues.virtualNode}`;
  const [foreignClusters, virtualNodes, nodes] = await Promise.all([
    client.list(ForeignCluster, signal),
    client.list(VirtualNode, signal),
    client.list(Node, { labelSelector, signal }),
  ]);
  return {
    foreignClusters: foreignClusters.items,
    virtualNodes: virtualNodes.items,
    nodes: nodes.items,
  };
}
