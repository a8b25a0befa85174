import { Advertisement, type ClusterConfig, finalizers, fixedNames } from '@liqo/api';
import {
  type Client,
  type Clock,
  formatTime,
  type ObjectKey,
  oneLine,
  type Stored,
} from '@liqo/kube';
import {
  decidedOfferStatus,
  expiresInMs,
  isAccepted,
  judgeClusterConfig,
  judgeOffers,
  type OfferPlace,
  type OfferVerdict,
  offerTimes,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  hasFinalizer,
  type Informer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import type { AcceptedOffers } from './bring-up-offer.ts';
import { lookAgainMs, type StandDown } from './stand-down-offer.ts';

export interface OfferContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly offers: Informer<Advertisement>;
  readonly configs: CachedReader<ClusterConfig>;
  readonly placeOf: (offer: Stored<Advertisement>) => OfferPlace;
  readonly accepted: Pick<AcceptedOffers, 'bringUp'>;
  readonly standDown: StandDown;
}

type Offer = Stored<Advertisement>;

/** A timer cannot be set for longer than some weeks. */
const longestWaitMs = 24 * 60 * 60_000;

/**
 * Decides on the offers of providers, and gives those that are accepted their virtual node. It works on one offer at a time:
 * two of them could take the last place otherwise.
 */
export class OfferReconciler {
  readonly #context: OfferContext;

  constructor(context: OfferContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { clock, offers } = this.#context;
    const found = offers.get(key);
    if (!found) return done;
    if (found.metadata.deletionTimestamp !== undefined) return this.#takeDown(found, run.signal);
    const times = offerTimes(found, clock.now());
    const leftMs = expiresInMs(times, clock.now());
    if (leftMs === 0) return this.#expire(found, run.signal);
    const verdict = this.#judge(found);
    if (!verdict) return done;
    const offer = await this.#decide(found, verdict, run.signal);
    const outcome = await this.#follow(offer, run);
    if (outcome.type !== 'done') return outcome;
    return requeueAfter(Math.min(leftMs, longestWaitMs), 'waiting for a refresh of the offer');
  }

  #judge(offer: Offer): OfferVerdict | undefined {
    const { configs, offers, placeOf } = this.#context;
    const { inForce } = judgeClusterConfig(configs.get({ name: fixedNames.clusterConfig }));
    const config = inForce?.ingoingConfig;
    const verdicts = judgeOffers(offers.list(), { config, placeOf });
    return verdicts.get(offer.metadata.uid);
  }

  /** The decision is stored, and in the cache, before anything is done about it and before the next offer is judged. */
  async #decide(offer: Offer, verdict: OfferVerdict, signal: AbortSignal): Promise<Offer> {
    const { client, clock, events, offers } = this.#context;
    const nowMs = clock.now();
    const times = offerTimes(offer, nowMs);
    const status = decidedOfferStatus(offer.status, verdict, { times, now: formatTime(nowMs) });
    const written = await writeStatus(client, Advertisement, offer, status, signal);
    if (written === offer) return offer;
    await offers.seen(written, signal);
    if (offer.status?.decision?.reason === verdict.reason) return written;
    const { reason, message: note } = verdict;
    const type = verdict.value === 'Refused' || reason === 'PolicyViolation' ? 'Warning' : 'Normal';
    events.record({ regarding: written, type, reason, action: 'Deciding', note: oneLine(note) });
    return written;
  }

  async #follow(offer: Offer, run: ReconcileContext): Promise<Outcome> {
    const { accepted, standDown } = this.#context;
    return isAccepted(offer) ? accepted.bringUp(offer, run) : standDown.stand(offer, run);
  }

  async #expire(offer: Offer, signal: AbortSignal): Promise<Outcome> {
    const { client, events } = this.#context;
    events.record({
      regarding: offer,
      type: 'Warning',
      reason: 'Expired',
      action: 'Deleting',
      note: `The provider has not refreshed the offer since ${offer.status?.lastRefreshTime}`,
    });
    await removeIfThere(client, Advertisement, offer, { signal });
    return done;
  }

  /** The virtual node goes before the offer. How long it may take is bounded by its own teardown. */
  async #takeDown(offer: Offer, signal: AbortSignal): Promise<Outcome> {
    const { client, standDown } = this.#context;
    if (!hasFinalizer(offer, finalizers.advertisement)) return done;
    const going = await standDown.remove(offer, signal);
    if (going !== undefined) return requeueAfter(lookAgainMs, going);
    await removeFinalizer(client, Advertisement, offer, finalizers.advertisement, signal);
    return done;
  }
}
