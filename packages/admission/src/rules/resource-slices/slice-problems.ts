import { labels, labelValues, type ResourceSlice, type VirtualNode } from '@liqo/api';
import {
  isJsonObject,
  type KubeObject,
  keyString,
  type Namespace,
  type Node,
  type Stored,
} from '@liqo/kube';
import { wantsVirtualNode, whyNotInTenantNamespace } from '@liqo/model';
import type { Problem } from '../../review/problems.ts';
import { textAt, valueAt } from '../../review/value-at.ts';
import { amountProblems } from '../amount-problems.ts';

/** What is there besides a slice. */
export interface SliceSurroundings {
  readonly ownClusterID: string;
  readonly namespaces: readonly Stored<Namespace>[];
  readonly slices: readonly Stored<ResourceSlice>[];
  readonly virtualNodes: readonly Stored<VirtualNode>[];
  /** The one that has the name of the slice. */
  readonly node: Stored<Node> | undefined;
}

const labelPath = `metadata.labels["${labels.remoteClusterID}"]`;
const destinationPath = `metadata.labels["${labels.replicationDestination}"]`;

/** What is wrong with a slice: one that this cluster asks with, or the copy of one that a consumer asks with. */
export function sliceProblems(slice: KubeObject, around: SliceSurroundings): readonly Problem[] {
  const isCopy = labelOf(slice, labels.replicated) === 'true';
  const isKept = labelOf(slice, labels.replication) === 'false';
  return [
    ...amountProblems(valueAt(slice, 'spec', 'resources'), 'spec.resources'),
    ...peerLabel(slice, around),
    ...(isCopy || isKept ? [] : [...clusters(slice, around), ...takenName(slice, around)]),
  ];
}

/** Kept as the namespace has it: by this label the copies of a consumer are told from those of another. */
function peerLabel(slice: KubeObject, { namespaces }: SliceSurroundings): readonly Problem[] {
  const given = labelOf(slice, labels.remoteClusterID);
  const peer = peerOf(slice, namespaces);
  if (given === undefined || peer === undefined || given === peer) return [];
  return [
    { path: labelPath, message: `"${given}" is not the cluster of this namespace, "${peer}"` },
  ];
}

/** A slice that names no provider is for the one that its namespace is about. */
function clusters(slice: KubeObject, around: SliceSurroundings): readonly Problem[] {
  const { ownClusterID, namespaces } = around;
  const problems: Problem[] = [];
  const consumer = textAt(slice, 'spec', 'consumerClusterID') ?? ownClusterID;
  if (consumer !== ownClusterID) {
    const message = `"${consumer}" is not this cluster, "${ownClusterID}"`;
    problems.push({ path: 'spec.consumerClusterID', message });
  }
  const named = [
    ['spec.providerClusterID', textAt(slice, 'spec', 'providerClusterID')],
    [destinationPath, labelOf(slice, labels.replicationDestination)],
    ['metadata.namespace', peerOf(slice, namespaces) ?? ''],
  ] as const;
  const namespace = slice.metadata?.namespace ?? '';
  for (const [path, provider] of named) {
    if (provider === undefined) continue;
    const why = whyNotProvider({ namespace, peer: provider }, namespaces);
    if (why !== undefined) return [...problems, { path, message: why }];
  }
  return problems;
}

function whyNotProvider(
  place: { readonly namespace: string; readonly peer: string },
  namespaces: readonly Stored<Namespace>[],
): string | undefined {
  if (place.peer === '') return `"${place.namespace}" is not the tenant namespace of a provider`;
  const why = whyNotInTenantNamespace(place, namespaces);
  return why && `"${place.peer}" is not the provider of this namespace: ${why}`;
}

/** A slice, its virtual node and its Node have one name. */
function takenName(slice: KubeObject, around: SliceSurroundings): readonly Problem[] {
  const { name = '', namespace } = slice.metadata ?? {};
  const isElsewhere = ({ metadata }: Stored<KubeObject>) =>
    metadata.name === name && metadata.namespace !== namespace;
  const isOwn = (other: Stored<ResourceSlice>) => labelOf(other, labels.replicated) !== 'true';
  const namesake = around.slices.filter(isOwn).find(isElsewhere);
  const taken = (by: string) => [{ path: 'metadata.name', message: `${by} has the name already` }];
  if (namesake) return taken(`the ResourceSlice "${keyString(namesake.metadata)}"`);
  if (!wantsNode(slice)) return [];
  const virtualNode = around.virtualNodes.find(isElsewhere);
  if (virtualNode) return taken(`the VirtualNode "${keyString(virtualNode.metadata)}"`);
  const type = around.node && labelOf(around.node, labels.type);
  const isReal = around.node !== undefined && type !== labelValues.virtualNode;
  return isReal ? taken(`the Node "${name}"`) : [];
}

/** Whether a virtual node is to be made of the slice, and a Node of that. */
export function wantsNode(slice: KubeObject): boolean {
  const { annotations: given } = slice.metadata ?? {};
  const texts = Object.entries(isJsonObject(given) ? given : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return wantsVirtualNode({
    metadata: { annotations: Object.fromEntries(texts) },
  } as ResourceSlice);
}

/** The cluster that the namespace of a slice is about. */
function peerOf(slice: KubeObject, namespaces: readonly Stored<Namespace>[]): string | undefined {
  const own = namespaces.find(({ metadata }) => metadata.name === slice.metadata?.namespace);
  const isTenant = own?.metadata.labels?.[labels.tenantNamespace] === 'true';
  return isTenant ? own.metadata.labels?.[labels.remoteClusterID] : undefined;
}

function labelOf(object: KubeObject, key: string): string | undefined {
  return textAt(object, 'metadata', 'labels', key);
}
