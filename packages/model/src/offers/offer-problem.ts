import { type Advertisement, type AdvertisementDecisionReason, advertisementName } from '@liqo/api';
import { oneLine, type Stored } from '@liqo/kube';
import { resourceProblems } from '../slices/requested-resources.ts';
import { judgeValidity } from './offer-validity.ts';

/** Where an offer is, and what this cluster is. */
export interface OfferPlace {
  readonly ownClusterID: string;
  /** Why the namespace of the offer is not the tenant namespace of its provider. */
  readonly misplaced: string | undefined;
}

export interface OfferProblem {
  readonly reason: AdvertisementDecisionReason;
  readonly message: string;
}

/** Why an offer cannot be used as it is, whatever the configuration says. */
export function findOfferProblem(
  offer: Stored<Advertisement>,
  place: OfferPlace,
): OfferProblem | undefined {
  return identityProblem(offer, place) ?? validityProblem(offer) ?? quantityProblem(offer);
}

function identityProblem(
  { metadata, spec }: Stored<Advertisement>,
  { ownClusterID, misplaced }: OfferPlace,
): OfferProblem | undefined {
  const message = (fact: string): OfferProblem => ({ reason: 'IdentityMismatch', message: fact });
  const { consumerClusterID, providerClusterID } = spec;
  if (consumerClusterID !== ownClusterID) {
    return message(
      `spec.consumerClusterID is "${consumerClusterID}", and this cluster is "${ownClusterID}"`,
    );
  }
  if (misplaced !== undefined) return message(misplaced);
  const name = advertisementName(providerClusterID);
  if (metadata.name === name) return undefined;
  return message(`the only offer of "${providerClusterID}" that counts is named "${name}"`);
}

function validityProblem({ spec }: Stored<Advertisement>): OfferProblem | undefined {
  const validity = judgeValidity(spec);
  if (validity.type === 'valid') return undefined;
  return { reason: 'InvalidTimeToLive', message: validity.message };
}

function quantityProblem({ spec }: Stored<Advertisement>): OfferProblem | undefined {
  const field = 'spec.resourceQuota.hard';
  const { hard = {} } = spec.resourceQuota;
  const isEmpty = Object.keys(hard).length === 0;
  const [first] = isEmpty
    ? [{ path: field, message: 'it is empty' }]
    : resourceProblems(hard, field);
  if (!first) return undefined;
  return { reason: 'InvalidResources', message: oneLine(`${first.path}: ${first.message}`) };
}
