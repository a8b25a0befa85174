import {
  Advertisement,
  advertisementName,
  type ClusterConfig,
  finalizers,
  fixedNames,
  labels,
} from '@liqo/api';
import { apiVersionOf, deepEqual, formatTime, parseTime, type Stored } from '@liqo/kube';
import { isSignificant } from './is-significant.ts';
import type { Information } from './offered-information.ts';

type Offer = Stored<Advertisement>;
type Spec = Advertisement['spec'];
type OutgoingConfig = ClusterConfig['spec']['advertisementConfig']['outgoingConfig'];

/** What a provider has for one consumer. */
export interface OwnOfferFacts {
  readonly ownClusterID: string;
  readonly consumer: string;
  /** The tenant namespace of the consumer. */
  readonly namespace: string;
  readonly config: OutgoingConfig;
  readonly hard: Readonly<Record<string, string>>;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly information: Information;
  readonly nowMs: number;
}

export type OwnOfferStep =
  | { readonly type: 'create'; readonly offer: Advertisement }
  | { readonly type: 'refresh'; readonly spec: Spec }
  /** Until the next refresh, unless something significant happens. */
  | { readonly type: 'leave'; readonly refreshInMs: number };

/** Which share an offer was computed with: another one is sent at once. */
const percentageProperty = 'resourceSharingPercentage';

/** The next step towards the offer of a provider for one consumer. */
export function planOwnOffer(existing: Offer | undefined, facts: OwnOfferFacts): OwnOfferStep {
  const spec = forgeSpec(facts);
  if (!existing) return { type: 'create', offer: forgeOffer(spec, facts) };
  const { refreshPeriodSeconds, updateThresholdPercentage } = facts.config;
  const sentMs = parseTime(existing.spec.timestamp);
  // A clock that was set back must not keep the offer from being refreshed.
  const ageMs = Math.abs(facts.nowMs - sentMs);
  const refreshInMs = refreshPeriodSeconds * 1_000 - ageMs;
  const sent = existing.spec.resourceQuota.hard;
  const isChanged =
    !isSameBesidesAmounts(existing.spec, spec) ||
    isSignificant(sent, facts.hard, updateThresholdPercentage);
  if (refreshInMs > 0 && !isChanged) return { type: 'leave', refreshInMs };
  return { type: 'refresh', spec };
}

/** Times differ each time, amounts are compared by the threshold, and information waits for the next refresh. */
function isSameBesidesAmounts(one: Spec, other: Spec): boolean {
  return deepEqual(termsOf(one), termsOf(other)) && validityOf(one) === validityOf(other);
}

function termsOf(spec: Spec) {
  const { timestamp: _t, timeToLive: _l, resourceQuota: _q, ...others } = spec;
  const { images: _i, neighbors: _n, prices: _p, ...terms } = others;
  return terms;
}

function validityOf({ timestamp, timeToLive }: Spec): number {
  return parseTime(timeToLive) - parseTime(timestamp);
}

function forgeSpec(facts: OwnOfferFacts) {
  const { ownClusterID, consumer, config, hard, nodeLabels, information, nowMs } = facts;
  const { resourceSharingPercentage, validitySeconds } = config;
  const spec: Spec = {
    providerClusterID: ownClusterID,
    consumerClusterID: consumer,
    resourceQuota: { hard },
    kubeConfigRef: { name: fixedNames.offerKubeconfigSecret },
    timestamp: formatTime(nowMs),
    timeToLive: formatTime(nowMs + validitySeconds * 1_000),
    properties: { [percentageProperty]: String(resourceSharingPercentage) },
    ...(Object.keys(nodeLabels).length > 0 && { labels: nodeLabels }),
    ...information,
  };
  return spec;
}

function forgeOffer(spec: Spec, { ownClusterID, consumer, namespace }: OwnOfferFacts) {
  const offer: Advertisement = {
    apiVersion: apiVersionOf(Advertisement),
    kind: Advertisement.kind,
    metadata: {
      name: advertisementName(ownClusterID),
      namespace,
      labels: {
        [labels.managed]: 'true',
        [labels.remoteClusterID]: consumer,
        [labels.replication]: 'true',
        [labels.replicationDestination]: consumer,
      },
      // The consumer says when it no longer uses the offer: credentials and Quota stay until then.
      finalizers: [finalizers.ownOffer],
    },
    spec,
  };
  return offer;
}

/** After this long without a word, a consumer has no copy that still holds, and has drained it. */
const drainedMs = 30 * 60_000;

/** Whether the consumer no longer uses an offer that is being deleted, or cannot any more. */
export function isReleasedByConsumer({ metadata, spec, status }: Offer, nowMs: number): boolean {
  const { reason } = status?.decision ?? {};
  if (reason === 'Withdrawn' || reason === 'Ended') return true;
  // The consumer has never seen it.
  if (status?.phase === undefined && status?.observedGeneration === undefined) return true;
  const { deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined) return false;
  return nowMs > parseTime(deletionTimestamp) + validityOf(spec) + drainedMs;
}

/** What the consumer writes into the offer of its provider when nothing is left of its copy. */
export function withdrawnStatus(now: string): NonNullable<Advertisement['status']> {
  return {
    phase: 'Refused',
    decision: { value: 'Refused', source: 'Policy', reason: 'Withdrawn', time: now },
  };
}

/**
 * What the consumer writes into the offer of its provider when its copy is gone although the provider still offers: it has
 * expired, its provider was given up, or a person has deleted it. It counts until the next refresh.
 */
export function endedStatus(
  { metadata }: Offer,
  now: string,
): NonNullable<Advertisement['status']> {
  return {
    phase: 'Refused',
    decision: { value: 'Refused', source: 'Policy', reason: 'Ended', time: now },
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
  };
}

/** Whether the copy of an offer has gone since its latest refresh. */
export function isEnded({ metadata, status }: Offer): boolean {
  const isKnown = status?.observedGeneration === metadata.generation;
  return status?.decision?.reason === 'Ended' && isKnown;
}
