import { annotations, type VirtualNode } from '@liqo/api';
import { mergePatch, Node, type Stored } from '@liqo/kube';
import { isNodeOf, planCordon, whyNothingNew } from '@liqo/model';
import type { VirtualNodeWorld } from './virtual-node-world.ts';

type FollowContext = Pick<VirtualNodeWorld, 'client' | 'events' | 'nodes' | 'slices'>;

/**
 * Cordons the Node of a virtual node while the provider grants its slice nothing, and uncordons it when it does again. Gives
 * the reason back; undefined while new pods are welcome.
 */
export async function followSlice(
  { client, events, nodes, slices }: FollowContext,
  virtualNode: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { name, namespace } = virtualNode.metadata;
  const why = whyNothingNew(virtualNode, slices.list(namespace));
  const node = nodes.get({ name });
  if (!node || !isNodeOf(node, virtualNode.spec.clusterID)) return why;
  const change = planCordon(node, why);
  if (change === undefined) return why;
  await client.patch(Node, { name }, mergePatch(change), signal);
  const isCordoned = why !== undefined;
  events.record({
    regarding: virtualNode,
    type: isCordoned ? 'Warning' : 'Normal',
    reason: isCordoned ? 'Cordoned' : 'Uncordoned',
    action: isCordoned ? 'Cordoning' : 'Uncordoning',
    note:
      why ??
      `Its slice is granted again (${node.metadata.annotations?.[annotations.cordonReason]})`,
  });
  return why;
}
