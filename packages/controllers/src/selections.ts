import { labels, labelValues } from '@liqo/api';
import type { Selection } from '@liqo/kube';

// What several controllers look at: the same selection is the same cache.

/** Nodes that stand for a provider. */
export const virtualNodesOnly = { labelSelector: `${labels.type}=${labelValues.virtualNode}` };

/** What this cluster tells its peers, and not what they have told it. */
export const forPeers = {
  labelSelector: `${labels.replication}=true,${labels.replicationDestination}`,
};

/** Slices that this cluster asks for. One that was written by hand may have no labels yet. */
export const ownSlices = { labelSelector: `${labels.replicated}!=true` };

/** What peers tell this cluster. */
export const fromPeers = { labelSelector: `${labels.replicated}=true,${labels.replicationOrigin}` };

/** Offers of providers. One that was written by hand has no labels; those of this cluster are for its consumers. */
export const receivedOffers = { labelSelector: `${labels.replication}!=true` };

/** What gives peers their rights here. */
export const bindingsOfPeers = {
  labelSelector: `app.kubernetes.io/managed-by=liqo,${labels.remoteClusterID}`,
};

/** Each holds everything about one peer. */
export const tenantNamespaces = {
  labelSelector: `${labels.tenantNamespace}=true,${labels.remoteClusterID}`,
};

/** Namespaces that users offload by a label, without a NamespaceOffloading of their own. */
export const enabledNamespaces = { labelSelector: `${labels.enabled}=true` };

/** What is here on behalf of a peer. */
export const ofPeers = { labelSelector: labels.remoteClusterID };

/** One object, whether it exists or not. */
export function named(name: string): Selection {
  return { fieldSelector: `metadata.name=${name}` };
}
