import type { VirtualNode } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';

/** What is left of a virtual node whose VirtualNode is being deleted. */
export interface Remains {
  readonly node: { readonly uid: string; readonly isCordoned: boolean } | undefined;
  /** Everything that is bound to the node. */
  readonly pods: readonly Stored<Pod>[];
  readonly hasVirtualKubelet: boolean;
  /** Whether the Deployment of the virtual kubelet exists. Without it, a pod of it that is left will not be replaced. */
  readonly hasDeployment: boolean;
  /** Nobody waits any longer for what is on the node: the provider is gone, or the time is over. */
  readonly isHopeless: boolean;
}

export type TeardownStep =
  | 'cordon'
  | 'restore-kubelet'
  | 'evict'
  | 'release'
  | 'delete-node'
  | 'delete-pods'
  | 'delete-kubelet'
  | 'finish';

/**
 * The next step, in this order: no new pods, the pods away, the Node, the pods that belong to a node, then the virtual
 * kubelet, which is needed until then. It depends on what there is and on nothing else, so that it goes on from wherever
 * somebody stopped.
 */
export function teardownStep(remains: Remains): TeardownStep {
  const { node, pods, hasVirtualKubelet, hasDeployment, isHopeless } = remains;
  if (node && !node.isCordoned) return 'cordon';
  const left = node ? podsToDrain(pods) : pods;
  if (isHopeless && left.some((pod) => !isReleased(pod))) return 'release';
  if (!isHopeless && left.length > 0) {
    // Only a virtual kubelet can end them at the provider and report it.
    if (!hasDeployment) return 'restore-kubelet';
    return node ? 'evict' : 'delete-pods';
  }
  if (node) return 'delete-node';
  return hasVirtualKubelet ? 'delete-kubelet' : 'finish';
}

/** Those that a drain moves: what belongs to a node goes with it. */
export function podsToDrain(pods: readonly Stored<Pod>[]): readonly Stored<Pod>[] {
  return pods.filter((pod) => !isOfDaemonSet(pod) && !isMirror(pod));
}

/** Deleted without waiting for anybody; whatever still keeps it is not ours. */
export function isReleased({ metadata }: Stored<Pod>): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}

/**
 * What becomes of the NamespaceMap when a virtual node of its provider goes: it stays while others need it, and of those
 * that go together the last one removes it, after the others.
 */
export function planMapRemoval(
  virtualNode: Stored<VirtualNode>,
  all: readonly Stored<VirtualNode>[],
): 'keep' | 'wait' | 'remove' {
  const { metadata, spec } = virtualNode;
  const others = all.filter(
    (other) => other.metadata.uid !== metadata.uid && other.spec.clusterID === spec.clusterID,
  );
  const staysOrGoesLater = others.some((other) => goesAfter(other, virtualNode));
  if (staysOrGoesLater) return 'keep';
  return others.length > 0 ? 'wait' : 'remove';
}

function goesAfter({ metadata }: Stored<VirtualNode>, other: Stored<VirtualNode>): boolean {
  if (metadata.deletionTimestamp === undefined) return true;
  const order = (one: Stored<VirtualNode>['metadata']) => `${one.deletionTimestamp} ${one.uid}`;
  return order(metadata) > order(other.metadata);
}

function isOfDaemonSet({ metadata }: Stored<Pod>): boolean {
  return (metadata.ownerReferences ?? []).some(
    ({ kind, controller }) => kind === 'DaemonSet' && controller === true,
  );
}

function isMirror({ metadata }: Stored<Pod>): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}
