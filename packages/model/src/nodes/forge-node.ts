import { annotations, labels, labelValues, type VirtualNode, virtualNodeTaint } from '@liqo/api';
import type { Node, Stored } from '@liqo/kube';
import { applyMetadata, type MergedMetadata } from '../applied-metadata.ts';

type Taint = NonNullable<NonNullable<Node['spec']>['taints']>[number];

/** What a virtual node is made of besides its VirtualNode. */
export interface NodeExtras {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface NodeHead {
  readonly metadata: MergedMetadata;
  readonly taints: readonly Taint[];
}

/** Labels, annotations and taints of the Node: ours as wanted, those of others as they are. Applying twice is the same. */
export function nodeHead(
  virtualNode: Stored<VirtualNode>,
  extras: NodeExtras,
  current: Stored<Node> | undefined,
): NodeHead {
  const ours = wantedTaints(virtualNode);
  const before = current?.metadata.annotations?.[annotations.appliedTaints]?.split(',') ?? [];
  const others = (current?.spec?.taints ?? []).filter(
    (taint) => !before.includes(taintName(taint)) && !ours.some((our) => isSameTaint(our, taint)),
  );
  return {
    metadata: applyMetadata(current?.metadata, {
      labels: wantedLabels(virtualNode, extras),
      annotations: {
        ...extras.annotations,
        ...virtualNode.spec.annotations,
        [annotations.appliedTaints]: ours.map(taintName).join(),
      },
    }),
    taints: [...ours, ...others],
  };
}

/** The labels that the Node of a VirtualNode has, whether it exists or not: what cluster selectors look at. */
export function wantedLabels(
  virtualNode: Stored<VirtualNode>,
  extras: Pick<NodeExtras, 'labels'>,
): Record<string, string> {
  const { metadata, spec } = virtualNode;
  return {
    'kubernetes.io/hostname': metadata.name,
    'kubernetes.io/role': 'agent',
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'node.kubernetes.io/exclude-from-external-load-balancers': 'true',
    'alpha.service-controller.kubernetes.io/exclude-balancer': 'true',
    [labels.storageAvailable]: String((spec.storageClasses ?? []).length > 0),
    ...extras.labels,
    ...spec.labels,
    [labels.type]: labelValues.virtualNode,
    ...(spec.clusterID && { [labels.remoteClusterID]: spec.clusterID }),
  };
}

function wantedTaints({ spec }: Stored<VirtualNode>): readonly Taint[] {
  const others = (spec.taints ?? []).filter((taint) => !isSameTaint(taint, virtualNodeTaint));
  return [{ ...virtualNodeTaint }, ...others];
}

/** A node has one taint of a key and effect. */
function isSameTaint(one: Pick<Taint, 'key' | 'effect'>, other: Pick<Taint, 'key' | 'effect'>) {
  return taintName(one) === taintName(other);
}

function taintName({ key, effect }: Pick<Taint, 'key' | 'effect'>): string {
  return `${key}:${effect}`;
}
