import type { Advertisement } from '@liqo/api';
import { oneLine } from '@liqo/kube';
import { isOwnOffer } from '../cluster/find-advertisement.ts';

export interface OfferInfo {
  readonly name: string;
  /** Whether we take, or give. */
  readonly action: 'Consuming' | 'Providing';
  readonly status: 'Accepted' | 'Pending' | 'Refused';
  readonly reason?: string;
  readonly resources: Readonly<Record<string, string | number>>;
  readonly virtualNode?: string;
  readonly expires?: string;
}

/** Nothing if the offer has nothing to do with the peer. */
export function describeOffer(clusterID: string, offer: Advertisement): readonly OfferInfo[] {
  const { metadata, spec, status } = offer;
  const isOwn = isOwnOffer(offer);
  if ((isOwn ? spec.consumerClusterID : spec.providerClusterID) !== clusterID) return [];
  const { phase = 'Pending', decision, virtualNodeRef, expirationTime } = status ?? {};
  return [
    {
      name: metadata?.name ?? '',
      action: isOwn ? 'Providing' : 'Consuming',
      status: phase,
      ...(decision?.reason && { reason: oneLine(decision.reason) }),
      resources: spec.resourceQuota.hard ?? {},
      ...(virtualNodeRef && { virtualNode: oneLine(virtualNodeRef.name) }),
      ...(expirationTime && { expires: oneLine(expirationTime) }),
    },
  ];
}
