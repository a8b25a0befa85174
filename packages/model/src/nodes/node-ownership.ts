import { labels, labelValues, type VirtualNode } from '@liqo/api';
import type { Node, Stored } from '@liqo/kube';

/**
 * Nodes have no namespace and VirtualNodes do: of those of a name, one in the tenant namespace of its provider has the Node,
 * and of several the oldest. Undefined for that one.
 */
export function findNamesake(
  virtualNode: Stored<VirtualNode>,
  all: readonly Stored<VirtualNode>[],
  isInTenantNamespace: (virtualNode: Stored<VirtualNode>) => boolean,
): Stored<VirtualNode> | undefined {
  const { name, uid } = virtualNode.metadata;
  const rank = (one: Stored<VirtualNode>) => {
    const { creationTimestamp, uid: id } = one.metadata;
    return `${isInTenantNamespace(one) ? 0 : 1} ${creationTimestamp} ${id}`;
  };
  return all.find(
    (other) =>
      other.metadata.name === name && other.metadata.uid !== uid && rank(other) < rank(virtualNode),
  );
}

/** Whether a Node is a virtual one and stands for this provider. */
export function isNodeOf({ metadata }: Stored<Node>, clusterID: string | undefined): boolean {
  const marks = metadata.labels ?? {};
  return (
    marks[labels.type] === labelValues.virtualNode && marks[labels.remoteClusterID] === clusterID
  );
}
