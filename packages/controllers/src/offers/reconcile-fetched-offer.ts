import { Advertisement, finalizers, fixedNames, labels } from '@liqo/api';
import {
  type Client,
  type Clock,
  formatTime,
  isNotFound,
  keyString,
  mergePatch,
  type ObjectKey,
  Secret,
  type Stored,
} from '@liqo/kube';
import {
  endedStatus,
  isCopyFrom,
  isEnded,
  ownerReference,
  planReplication,
  withdrawnStatus,
} from '@liqo/model';
import {
  confirmAbsent,
  done,
  type EventRecorder,
  hasFinalizer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import type { OfferSource } from './provider-offers.ts';

export interface FetchedOfferContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly sourceOf: (localKey: ObjectKey) => OfferSource | undefined;
}

type Offer = Stored<Advertisement>;

const lookAgainMs = 5_000;
/** A provider that does not answer delays one worker by this long. */
const timeoutMs = 10_000;
/** Base64. A kubeconfig with an authority, a certificate and a key has some thousand characters. */
const longestKubeconfig = 131_072;

/**
 * Copies the offer of a provider, and the kubeconfig in its Secret, into the tenant namespace of the provider, and tells the
 * provider what became of it. The consumer fetches: a provider needs no rights here.
 */
export class FetchedOfferReconciler {
  readonly #context: FetchedOfferContext;
  /** When the copies that there were had been composed, by their keys. */
  readonly #composed = new Map<string, string>();

  constructor(context: FetchedOfferContext) {
    this.#context = context;
  }

  /** The key is that of the copy. */
  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const { client, sourceOf } = this.#context;
    const source = sourceOf(key);
    // An offer that is not refreshed expires.
    if (!source) return done;
    const copy = await client.get(Advertisement, key, signal);
    if (copy) this.#composed.set(keyString(key), copy.spec.timestamp);
    if (!source.offers.hasSynced) {
      return requeueAfter(lookAgainMs, `waiting for the offers of "${source.provider}"`);
    }
    const original = source.offers.get(source.remoteKey);
    if (copy && !isCopyFrom(copy, source.provider)) return done;
    if (original && original.metadata.deletionTimestamp === undefined) {
      return this.#keepInStep(original, copy, source, signal);
    }
    return this.#remove(original, copy, source, signal);
  }

  async #keepInStep(
    original: Offer,
    copy: Offer | undefined,
    source: OfferSource,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client } = this.#context;
    if (copy?.metadata.deletionTimestamp !== undefined) {
      return requeueAfter(lookAgainMs, 'waiting for an earlier offer to go');
    }
    const route = {
      localClusterID: source.provider,
      remoteNamespace: source.localKey.namespace ?? '',
    };
    if (!copy && !(await this.#mayCreate(original, source, signal))) return done;
    const step = planReplication(withoutMarks(original), copy, route);
    if (step.type === 'create') await client.create(Advertisement, step.copy, signal);
    if (step.type === 'update') await client.update(Advertisement, step.copy as Offer, signal);
    // The event of the copy leads here again.
    if (!copy || step.type !== 'inStep') return done;
    const hasSecret = await this.#copySecret(copy, source, signal);
    if (copy.status?.phase !== undefined && !isLeaving(copy)) {
      const call = { signal, timeoutMs };
      await writeStatus(source.client, Advertisement, original, copy.status, call);
    }
    if (hasSecret) return done;
    return requeueAfter(lookAgainMs, `waiting for the Secret of "${source.provider}"`);
  }

  /**
   * A copy that has expired, or whose provider was given up, must not come back from a cache: the provider has to have
   * refreshed it, and to answer. That it has gone is noted down in the original, for the time after a restart.
   */
  async #mayCreate(original: Offer, source: OfferSource, signal: AbortSignal): Promise<boolean> {
    if (isEnded(original)) return false;
    const { timestamp } = original.spec;
    const call = { signal, timeoutMs };
    if (this.#composed.get(keyString(source.localKey)) === timestamp) {
      const status = endedStatus(original, formatTime(this.#context.clock.now()));
      await writeStatus(source.client, Advertisement, original, status, call);
      return false;
    }
    const live = await source.client.get(Advertisement, source.remoteKey, call);
    return live?.spec.timestamp === timestamp && !isEnded(live);
  }

  /** Goes with the copy. One that was not made for it is left alone. */
  async #copySecret(copy: Offer, source: OfferSource, signal: AbortSignal): Promise<boolean> {
    const { client } = this.#context;
    const name = fixedNames.offerKubeconfigSecret;
    const remoteKey = { namespace: source.remoteKey.namespace, name };
    const found = await source.client.get(Secret, remoteKey, { signal, timeoutMs });
    const kubeconfig = found?.data?.kubeconfig;
    if (!kubeconfig || kubeconfig.length > longestKubeconfig) return false;
    const { namespace = '' } = copy.metadata;
    const key = { namespace, name };
    const existing = await client.get(Secret, key, signal);
    if (!existing) {
      const marks = { [labels.managed]: 'true', [labels.remoteClusterID]: source.provider };
      const ownerReferences = [ownerReference(Advertisement, copy.metadata)];
      const metadata = { ...key, labels: marks, ownerReferences };
      await client.create(Secret, { metadata, type: 'Opaque', data: { kubeconfig } }, signal);
      return true;
    }
    const isOurs = existing.metadata.ownerReferences?.some(({ uid }) => uid === copy.metadata.uid);
    if (!isOurs) return existing.metadata.ownerReferences === undefined;
    if (existing.data?.kubeconfig === kubeconfig) return true;
    const { resourceVersion } = existing.metadata;
    const patch = mergePatch({ metadata: { resourceVersion }, data: { kubeconfig } } as never);
    await client.patch(Secret, key, patch, { signal });
    return true;
  }

  /** The copy goes, and its virtual node before it. The provider keeps the credentials until it hears that all is gone. */
  async #remove(
    original: Offer | undefined,
    copy: Offer | undefined,
    source: OfferSource,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, clock } = this.#context;
    const call = { signal, timeoutMs };
    if (copy) {
      const { remoteKey } = source;
      const isGone =
        original ?? (await confirmAbsent(source.client, Advertisement, remoteKey, call));
      if (isGone === false || copy.metadata.deletionTimestamp !== undefined) return done;
      await removeIfThere(client, Advertisement, copy, { signal });
      return done;
    }
    if (!original) return done;
    try {
      const status = withdrawnStatus(formatTime(clock.now()));
      if (original.status?.decision?.reason === status.decision?.reason) return done;
      await writeStatus(source.client, Advertisement, original, status, call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return done;
  }
}

/** The provider takes `Withdrawn` for the word that nothing of the offer is left: it is not said while something is. */
function isLeaving(copy: Offer): boolean {
  const isWithdrawn = copy.status?.decision?.reason === 'Withdrawn';
  return isWithdrawn && hasFinalizer(copy, finalizers.advertisement);
}

/** What a provider notes down on its offer says nothing here. */
function withoutMarks({ metadata, ...others }: Offer): Offer {
  const { labels: _, annotations: __, ...head } = metadata;
  return { ...others, metadata: head };
}
