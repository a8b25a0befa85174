import {
  annotations,
  kubeconfigSecretName,
  labels,
  type ResourceSlice,
  resourceSliceIdentityName,
  VirtualNode,
} from '@liqo/api';
import { apiVersionOf, findCondition, ownMember, type Stored } from '@liqo/kube';
import { acceptedNodeLabels } from './accepted-node-labels.ts';
import { authenticationOf, metadataOfSlice, providerOfSlice } from './forge-slice-objects.ts';

type Slice = Stored<ResourceSlice>;
type Spec = VirtualNode['spec'];

/** Whether the consumer wants a virtual node to be made of a slice. One that was made stays with the slice. */
export function wantsVirtualNode({ metadata }: ResourceSlice): boolean {
  const wish = ownMember(metadata?.annotations, annotations.createVirtualNode) ?? '';
  return wish !== '' && wish.toLowerCase() !== 'false';
}

/** The virtual node of a slice that is granted; undefined before that. */
export function forgeSliceVirtualNode(slice: Slice, createNode: boolean): VirtualNode | undefined {
  const { resources, nodeLabels, nodeSelector, ...offered } = slice.status ?? {};
  const isGranted = findCondition(slice.status?.conditions, 'Resources')?.status === 'Accepted';
  if (authenticationOf(slice) !== 'Accepted' || !isGranted || !resources) return undefined;
  const provider = providerOfSlice(slice);
  const { storageClasses, ingressClasses, loadBalancerClasses } = offered;
  return {
    apiVersion: apiVersionOf(VirtualNode),
    kind: VirtualNode.kind,
    metadata: metadataOfSlice(slice, slice.metadata.name),
    spec: {
      clusterID: provider,
      createNode,
      kubeconfigSecretRef: { name: sliceKubeconfigName(slice) },
      labels: { ...acceptedNodeLabels(nodeLabels), [labels.remoteClusterID]: provider },
      resourceQuota: { hard: { ...resources } },
      ...(storageClasses && { storageClasses }),
      ...(ingressClasses && { ingressClasses }),
      ...(loadBalancerClasses && { loadBalancerClasses }),
      ...(nodeSelector && { offloadingPatch: { nodeSelector } }),
    },
  };
}

/** The Secret with the credentials of a slice. */
export function sliceKubeconfigName({ metadata }: Slice): string {
  return kubeconfigSecretName(resourceSliceIdentityName(metadata.name));
}

/**
 * What becomes of the virtual node of a slice after another grant: what the provider decides is replaced, also by nothing;
 * what the consumer has set stays.
 */
export function followGrant(existing: Spec, wanted: Spec): Spec {
  const { storageClasses: _s, ingressClasses: _i, loadBalancerClasses: _l, ...kept } = existing;
  const { createNode = wanted.createNode, offloadingPatch } = existing;
  const patch = { ...offloadingPatch, ...wanted.offloadingPatch };
  return {
    ...kept,
    ...wanted,
    ...(createNode !== undefined && { createNode }),
    ...(Object.keys(patch).length > 0 && { offloadingPatch: patch }),
  };
}
