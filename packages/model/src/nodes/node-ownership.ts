import { labels, labelValues, type VirtualNode } from '@liqo/api';
import type { Node, Stored } from '@liqo/kube';

/** Nodes have no namespace and VirtualNodes do: the older VirtualNode of a name has the Node. Undefined for that one. */
export function findNamesake(
  virtualNode: Stored<VirtualNode>,
  all: readonly Stored<VirtualNode>[],
): Stored<VirtualNode> | undefined {
  const { name, uid } = virtualNode.metadata;
  return all.find(
    (other) =>
      other.metadata.name === name &&
      other.metadata.uid !== uid &&
      isBefore(other.metadata, virtualNode.metadata),
  );
}

/** Whether a Node is a virtual one and stands for this provider. */
export function isNodeOf({ metadata }: Stored<Node>, clusterID: string | undefined): boolean {
  const marks = metadata.labels ?? {};
  return (
    marks[labels.type] === labelValues.virtualNode && marks[labels.remoteClusterID] === clusterID
  );
}

type Age = Pick<Stored<VirtualNode>['metadata'], 'creationTimestamp' | 'uid'>;

function isBefore(one: Age, other: Age): boolean {
  const age = ({ creationTimestamp, uid }: Age) => `${creationTimestamp} ${uid}`;
  return age(one) < age(other);
}
