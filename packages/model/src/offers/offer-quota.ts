import { Advertisement, labels, Quota } from '@liqo/api';
import { apiVersionOf, type Stored } from '@liqo/kube';
import { ownerReference } from '../authentication/owner-reference.ts';
import type { IdentitySubject } from '../authentication/subjects.ts';
import { sha256 } from '../sha256.ts';

/**
 * The user whose pods run under the offer for a consumer, in the group of the consumer. A slice cannot have it: the digest of a
 * slice is of the consumer alone.
 */
export function offerSubject(consumerClusterID: string): IdentitySubject {
  const digest = sha256(`offer for ${consumerClusterID}`).slice(0, 12);
  return { commonName: `offer-${digest}`, organization: consumerClusterID };
}

/** What the pods of an offer may take together: as much as is offered. */
export function forgeOfferQuota(offer: Stored<Advertisement>, isCordoned: boolean): Quota {
  const { commonName: user } = offerSubject(offer.spec.consumerClusterID);
  return {
    apiVersion: apiVersionOf(Quota),
    kind: Quota.kind,
    metadata: {
      name: user,
      namespace: offer.metadata.namespace ?? '',
      labels: { [labels.managed]: 'true' },
      ownerReferences: [ownerReference(Advertisement, offer.metadata)],
    },
    spec: {
      user,
      resources: offer.spec.resourceQuota.hard,
      limitsEnforcement: 'None',
      cordoned: isCordoned,
    },
  };
}
