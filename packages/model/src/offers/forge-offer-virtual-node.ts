import { Advertisement, annotations, labels, offerVirtualNodeName, VirtualNode } from '@liqo/api';
import { apiVersionOf, type KubeObject, ownMember, type Stored } from '@liqo/kube';
import { ownerReference } from '../authentication/owner-reference.ts';
import { acceptedNodeLabels } from '../slices/accepted-node-labels.ts';
import { followGrant } from '../slices/forge-slice-virtual-node.ts';

type Offer = Stored<Advertisement>;
type Spec = VirtualNode['spec'];

/** The virtual node of an offer that is accepted. */
export function forgeOfferVirtualNode(offer: Offer, createNode: boolean): VirtualNode {
  const { name, namespace = '' } = offer.metadata;
  const { providerClusterID: provider, kubeConfigRef, resourceQuota, ...offered } = offer.spec;
  const { images, storageClasses, ingressClasses, loadBalancerClasses } = offered;
  return {
    apiVersion: apiVersionOf(VirtualNode),
    kind: VirtualNode.kind,
    metadata: {
      name: virtualNodeNameOf(offer),
      namespace,
      labels: {
        [labels.managed]: 'true',
        [labels.remoteClusterID]: provider,
        // The value of a label is shorter than a name may be.
        [labels.advertisementName]: name.slice(0, 63).replace(/[^a-z0-9]+$/, ''),
      },
      ownerReferences: [ownerReference(Advertisement, offer.metadata)],
    },
    spec: {
      clusterID: provider,
      createNode,
      kubeconfigSecretRef: { name: kubeConfigRef.name },
      labels: { ...acceptedNodeLabels(offered.labels), [labels.remoteClusterID]: provider },
      resourceQuota: { hard: { ...resourceQuota.hard } },
      ...(images && { images }),
      ...(storageClasses && { storageClasses }),
      ...(ingressClasses && { ingressClasses }),
      ...(loadBalancerClasses && { loadBalancerClasses }),
    },
  };
}

/** The name that a person has chosen with an annotation, or the one for the provider. */
export function virtualNodeNameOf({ metadata, spec }: Offer): string {
  const chosen = ownMember(metadata.annotations, annotations.virtualNodeName);
  return chosen || offerVirtualNodeName(spec.providerClusterID);
}

/** Whether an object was made for this very offer. */
export function isOfOffer({ metadata }: KubeObject, offer: Offer): boolean {
  return metadata?.ownerReferences?.some(({ uid }) => uid === offer.metadata.uid) ?? false;
}

/**
 * What becomes of the virtual node of an offer after a refresh: what the provider offers is replaced, also by nothing; what
 * the consumer has set stays.
 */
export function followOffer(existing: Spec, wanted: Spec): Spec {
  const { images: _, ...kept } = existing;
  return followGrant(kept, wanted);
}
