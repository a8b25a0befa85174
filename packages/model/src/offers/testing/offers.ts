import { type Advertisement, advertisementName, type ClusterConfig } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import type { OfferVerdict } from '../judge-offer.ts';
import { judgeOffers } from '../judge-offers.ts';

export type Offer = Stored<Advertisement>;
export type Ingoing = ClusterConfig['spec']['advertisementConfig']['ingoingConfig'];

export const automatic = (
  maxAcceptableAdvertisements: number,
  lists: Partial<Ingoing> = {},
): Ingoing => ({ acceptPolicy: 'AutoAcceptMax', maxAcceptableAdvertisements, ...lists });

export const byHand: Ingoing = {
  acceptPolicy: 'ManualAccept',
  maxAcceptableAdvertisements: 10,
};

/** The offer of the provider "p<number>"; the higher the number, the younger. */
export function offerOf(number: number, spec: Partial<Advertisement['spec']> = {}): Offer {
  const provider = `p${number}`;
  const seconds = String(number % 60).padStart(2, '0');
  const minutes = String(Math.floor(number / 60)).padStart(2, '0');
  return {
    apiVersion: 'sharing.liqo.io/v1beta1',
    kind: 'Advertisement',
    metadata: {
      name: advertisementName(provider),
      namespace: `liqo-tenant-${provider}`,
      uid: `uid-${number}`,
      resourceVersion: '1',
      creationTimestamp: `2026-11-19T10:${minutes}:${seconds}Z`,
    },
    spec: {
      providerClusterID: provider,
      consumerClusterID: 'rome',
      resourceQuota: { hard: { cpu: '4', memory: '8Gi', pods: '110' } },
      kubeConfigRef: { name: 'kubeconfig-offer' },
      timestamp: '2026-11-19T10:00:00Z',
      timeToLive: '2026-11-19T10:30:00Z',
      ...spec,
    },
  };
}

export const offers = (from: number, to: number): Offer[] =>
  Array.from({ length: to - from + 1 }, (_, index) => offerOf(from + index));

/** The offers after the decisions have been written. */
export function decide(all: readonly Offer[], config: Ingoing | undefined): Offer[] {
  const verdicts = verdictsOn(all, config);
  return all.map((offer) => {
    const verdict = verdicts.get(offer.metadata.uid);
    if (!verdict) return offer;
    const { value, source, reason } = verdict;
    const time = '2026-11-19T11:00:00Z';
    return { ...offer, status: { phase: value, decision: { value, source, reason, time } } };
  });
}

export function verdictsOn(
  all: readonly Offer[],
  config: Ingoing | undefined,
): ReadonlyMap<string, OfferVerdict> {
  return judgeOffers(all, {
    config,
    placeOf: ({ metadata, spec }) => ({
      ownClusterID: 'rome',
      misplaced:
        metadata.namespace === `liqo-tenant-${spec.providerClusterID}`
          ? undefined
          : 'it is not in the tenant namespace of its provider',
    }),
  });
}

/** `A` accepted, `R` refused, `P` pending, in the order of the list. */
export const phases = (all: readonly Offer[]): string =>
  all.map(({ status }) => status?.phase?.charAt(0) ?? '-').join('');

export const reasonOf = (all: readonly Offer[], index = 0): string | undefined =>
  all[index]?.status?.decision?.reason;

/** As a person writes it, or `liqoctl advertisement`. */
export function decideByHand(offer: Offer, value: 'Accepted' | 'Pending' | 'Refused'): Offer {
  const phase = offer.status?.phase ?? 'Pending';
  return { ...offer, status: { ...offer.status, phase, decision: { value, source: 'Manual' } } };
}

export function deleting(offer: Offer): Offer {
  return { ...offer, metadata: { ...offer.metadata, deletionTimestamp: '2026-11-19T12:00:00Z' } };
}
