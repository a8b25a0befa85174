import type { Advertisement, AdvertisementDecisionReason, ClusterConfig } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { manualDecisionOf } from './manual-decision.ts';
import { findOfferProblem, type OfferPlace } from './offer-problem.ts';

type IngoingConfig = ClusterConfig['spec']['advertisementConfig']['ingoingConfig'];

export interface OfferFacts {
  readonly placeOf: PlaceOf;
  /** Of the ClusterConfig `configuration`; undefined while there is none. */
  readonly config: IngoingConfig | undefined;
  /** How many other offers hold a place; see `holdsPlace`. */
  readonly accepted: number;
}

/** Where an offer is: looked up for those that are not accepted yet. */
export type PlaceOf = (offer: Stored<Advertisement>) => OfferPlace;

export interface OfferVerdict {
  readonly value: 'Accepted' | 'Pending' | 'Refused';
  readonly source: 'Manual' | 'Policy';
  readonly reason: AdvertisementDecisionReason;
  /** For people. */
  readonly message: string;
}

/**
 * What becomes of one offer. The configuration acts from now on: it can accept an offer that was refused, and never takes
 * back an acceptance. Only a person does, or the provider, which may withdraw it.
 */
export function judgeOffer(offer: Stored<Advertisement>, facts: OfferFacts): OfferVerdict {
  const manual = manualDecisionOf(offer);
  if (manual === 'Refused') return refusedByHand;
  // An offer that its provider ends has no virtual node, and must not be called accepted.
  if (offer.spec.withdrawalTimestamp !== undefined) return withdrawn;
  if (isAccepted(offer)) return manual ? acceptedByHand : stayAccepted(offer, facts);
  const problem = findOfferProblem(offer, facts.placeOf(offer));
  if (problem) return { value: 'Refused', source: 'Policy', ...problem };
  if (manual) return acceptedByHand;
  return listed(offer, facts.config) ?? judgeByPolicy(facts);
}

/** Whether an offer takes one of the places that the maximum limits. */
export function holdsPlace(offer: Stored<Advertisement>, placeOf: PlaceOf): boolean {
  const { metadata, spec } = offer;
  if (metadata.deletionTimestamp !== undefined || spec.withdrawalTimestamp !== undefined) {
    return false;
  }
  const manual = manualDecisionOf(offer);
  if (manual === 'Refused') return false;
  if (isAccepted(offer)) return true;
  return manual === 'Accepted' && findOfferProblem(offer, placeOf(offer)) === undefined;
}

export function isAccepted({ status }: Pick<Advertisement, 'status'>): boolean {
  return status?.phase === 'Accepted';
}

/** Being excluded later is reported, and no more. */
function stayAccepted(offer: Stored<Advertisement>, { config }: OfferFacts): OfferVerdict {
  const excluded = listed(offer, config);
  if (!excluded) return acceptedByPolicy;
  const message = `It stays accepted although ${excluded.message}: refuse it by hand to end it`;
  return { value: 'Accepted', source: 'Policy', reason: 'PolicyViolation', message };
}

/** Both lists; the one of denied clusters wins. */
function listed(
  { spec }: Stored<Advertisement>,
  config: IngoingConfig | undefined,
): OfferVerdict | undefined {
  const { allowedClusterIDs = [], deniedClusterIDs = [] } = config ?? {};
  const { providerClusterID } = spec;
  const refuse = (reason: AdvertisementDecisionReason, message: string): OfferVerdict => ({
    value: 'Refused',
    source: 'Policy',
    reason,
    message,
  });
  if (deniedClusterIDs.includes(providerClusterID)) {
    return refuse('DeniedCluster', `"${providerClusterID}" is in deniedClusterIDs`);
  }
  if (allowedClusterIDs.length === 0 || allowedClusterIDs.includes(providerClusterID)) {
    return undefined;
  }
  return refuse('NotInAllowList', `"${providerClusterID}" is not in allowedClusterIDs`);
}

function judgeByPolicy({ config, accepted }: OfferFacts): OfferVerdict {
  if (!config) return unconfigured;
  if (config.acceptPolicy !== 'AutoAcceptMax') return waitingForPerson;
  const most = config.maxAcceptableAdvertisements;
  if (accepted < most) return acceptedByPolicy;
  const message = `${accepted} offers are accepted, and maxAcceptableAdvertisements is ${most}`;
  return { value: 'Refused', source: 'Policy', reason: 'MaxReached', message };
}

const refusedByHand: OfferVerdict = {
  value: 'Refused',
  source: 'Manual',
  reason: 'RefusedManually',
  message: 'Refused by hand',
};

const acceptedByHand: OfferVerdict = {
  value: 'Accepted',
  source: 'Manual',
  reason: 'AcceptedManually',
  message: 'Accepted by hand',
};

const acceptedByPolicy: OfferVerdict = {
  value: 'Accepted',
  source: 'Policy',
  reason: 'AcceptedByPolicy',
  message: 'Accepted by the policy',
};

const withdrawn: OfferVerdict = {
  value: 'Refused',
  source: 'Policy',
  reason: 'Withdrawn',
  message: 'The provider has withdrawn the offer',
};

const unconfigured: OfferVerdict = {
  value: 'Pending',
  source: 'Policy',
  reason: 'NoConfiguration',
  message: 'Waiting for the ClusterConfig "configuration"',
};

const waitingForPerson: OfferVerdict = {
  value: 'Pending',
  source: 'Policy',
  reason: 'WaitingManualDecision',
  message: 'Waiting for "liqoctl advertisement accept" or "refuse"',
};
