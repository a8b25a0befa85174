import { type Identity, Identity as IdentityKind, labels, type Renew } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { ownerReference } from './owner-reference.ts';

/** What asks the provider for the next certificate of a control plane, for as long as its Identity exists. */
export function forgeRenew(identity: Stored<Identity>, consumerClusterID: string): Renew {
  const { name, namespace = '', uid } = identity.metadata;
  const provider = identity.spec?.clusterID ?? '';
  return {
    metadata: {
      name,
      namespace,
      labels: {
        [labels.remoteClusterID]: provider,
        [labels.replicationDestination]: provider,
        [labels.replication]: 'true',
      },
      ownerReferences: [ownerReference(IdentityKind, { name, uid })],
    },
    spec: { consumerClusterID, identityType: 'ControlPlane' },
  };
}
