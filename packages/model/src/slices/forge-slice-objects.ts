import { Identity, labels, ResourceSlice, resourceSliceIdentityName } from '@liqo/api';
import { apiVersionOf, findCondition, type Stored } from '@liqo/kube';
import { ownerReference } from '../authentication/owner-reference.ts';

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
    metadata: metadataOfSlice(slice, resourceSliceIdentityName(slice.metadata.name)),
    spec: { clusterID: providerOfSlice(slice), type: 'ResourceSlice', authParams },
  };
}

/** Of what is made for a slice at the consumer. */
export function metadataOfSlice(slice: Slice, name: string) {
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
