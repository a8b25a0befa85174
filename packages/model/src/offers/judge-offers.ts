import type { Advertisement } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import {
  holdsPlace,
  isAccepted,
  judgeOffer,
  type OfferFacts,
  type OfferVerdict,
} from './judge-offer.ts';

type Offer = Stored<Advertisement>;

type OffersFacts = Omit<OfferFacts, 'accepted'>;

/**
 * What becomes of all offers, by UID. Places are given to the oldest ones: when the maximum is raised, or an accepted offer
 * goes, those that were refused before move up in that order. Offers that are being deleted are not judged.
 */
export function judgeOffers(
  offers: readonly Offer[],
  { config, placeOf }: OffersFacts,
): ReadonlyMap<string, OfferVerdict> {
  const isHeld = (offer: Offer) => holdsPlace(offer, placeOf);
  let accepted = offers.filter(isHeld).length;
  const verdicts = new Map<string, OfferVerdict>();
  for (const offer of offers.toSorted(byAge)) {
    if (offer.metadata.deletionTimestamp !== undefined) continue;
    const verdict = judgeOffer(offer, { placeOf, config, accepted });
    if (verdict.value === 'Accepted' && !isAccepted(offer) && !isHeld(offer)) accepted++;
    verdicts.set(offer.metadata.uid, verdict);
  }
  return verdicts;
}

function byAge(one: Offer, other: Offer): number {
  return ageOf(one) < ageOf(other) ? -1 : 1;
}

function ageOf({ metadata }: Offer): string {
  return `${metadata.creationTimestamp} ${metadata.namespace}/${metadata.name}`;
}
