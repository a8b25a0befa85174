import {
  annotations,
  Identity,
  kubeconfigSecretName,
  labels,
  ResourceSlice,
  resourceSliceIdentityName,
  VirtualNode,
} from '@liqo/api';
import { apiVersionOf, findCondition, ownMember, type Stored } from '@liqo/kube';
import { ownerReference } from '../authentication/owner-reference.ts';
import { acceptedNodeLabels } from './accepted-node-labels.ts';

type Slice = Stored<ResourceSlice>;

/** The provider that a slice of this cluster is for. */
export function providerOfSlice({ metadata }: ResourceSlice): string {
  return metadata?.labels?.[labels.replicationDestination] ?? '';
}

/** The provider's answer to the credentials that a slice asks for; undefined while there is none. */
export function authenticationOf({ status }: ResourceSlice): 'Accepted' | 'Denied' | undefined {
  return findCondition(status?.conditions, 'Authentication')?.status;
}

/** The credentials of a slice; undefined while the provider has given none. */
export function forgeSliceIdentity(slice: Slice): Identity | undefined {
  const authParams = slice.status?.authParams;
  if (authenticationOf(slice) !== 'Accepted' || !authParams) return undefined;
  return {
    apiVersion: apiVersionOf(Identity),
    kind: Identity.kind,
    metadata: metadataOf(slice, resourceSliceIdentityName(slice.metadata.name)),
    spec: { clusterID: providerOfSlice(slice), type: 'ResourceSlice', authParams },
  };
}

/** Whether the consumer wants a virtual node of a slice. */
export function wantsVirtualNode({ metadata }: ResourceSlice): boolean {
  const wish = ownMember(metadata?.annotations, annotations.createVirtualNode) ?? '';
  return wish !== '' && wish.toLowerCase() !== 'false';
}

/** The virtual node of a slice that is granted; undefined before that. */
export function forgeSliceVirtualNode(slice: Slice): VirtualNode | undefined {
  const { resources, nodeLabels, nodeSelector, ...offered } = slice.status ?? {};
  const isGranted = findCondition(slice.status?.conditions, 'Resources')?.status === 'Accepted';
  if (authenticationOf(slice) !== 'Accepted' || !isGranted || !resources) return undefined;
  const provider = providerOfSlice(slice);
  const { storageClasses, ingressClasses, loadBalancerClasses } = offered;
  return {
    apiVersion: apiVersionOf(VirtualNode),
    kind: VirtualNode.kind,
    metadata: metadataOf(slice, slice.metadata.name),
    spec: {
      clusterID: provider,
      kubeconfigSecretRef: {
        name: kubeconfigSecretName(resourceSliceIdentityName(slice.metadata.name)),
      },
      labels: { ...acceptedNodeLabels(nodeLabels), [labels.remoteClusterID]: provider },
      resourceQuota: { hard: { ...resources } },
      ...(storageClasses && { storageClasses }),
      ...(ingressClasses && { ingressClasses }),
      ...(loadBalancerClasses && { loadBalancerClasses }),
      ...(nodeSelector && { offloadingPatch: { nodeSelector } }),
    },
  };
}

function metadataOf(slice: Slice, name: string) {
  const { namespace = '' } = slice.metadata;
  return {
    name,
    namespace,
    labels: {
      [labels.managed]: 'true',
      [labels.remoteClusterID]: providerOfSlice(slice),
      [labels.resourceSliceName]: slice.metadata.name,
    },
    ownerReferences: [ownerReference(ResourceSlice, slice.metadata)],
  };
}
