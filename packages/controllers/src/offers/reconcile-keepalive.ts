import { Advertisement, type ClusterConfig } from '@liqo/api';
import {
  ApiError,
  type Client,
  type Clock,
  deadline,
  formatTime,
  isConditionTrue,
  isUnauthorized,
  type ObjectKey,
  Secret,
  type Stored,
} from '@liqo/kube';
import { unreachableOfferStatus } from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import { removeIfThere } from '../remove-if-there.ts';

export interface KeepaliveContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly connectPeer: ControllerContext['connectPeer'];
  readonly offers: CachedReader<Advertisement>;
  readonly readConfig: () => ClusterConfig['spec']['advertisementConfig'] | undefined;
}

type Offer = Stored<Advertisement>;

interface Probes {
  /** In a row. */
  readonly failures: number;
  readonly nextMs: number;
}

const timeoutMs = 5_000;

/**
 * Asks the provider of every accepted offer now and then whether it is alive. Failures are counted in memory: a restart gives a
 * provider the benefit of the doubt, and goes on asking.
 */
export class KeepaliveReconciler {
  readonly #context: KeepaliveContext;
  /** By the UID of the offer. */
  readonly #probes = new Map<string, Probes>();

  constructor(context: KeepaliveContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, run: ReconcileContext): Promise<Outcome> {
    const { clock, offers, readConfig } = this.#context;
    const offer = offers.get(key);
    const { keepaliveThreshold = 0, keepaliveRetryTime = 0 } = readConfig() ?? {};
    const isProbed =
      offer?.status?.phase === 'Accepted' && offer.metadata.deletionTimestamp === undefined;
    if (!offer || !isProbed || keepaliveThreshold === 0) {
      this.#forgetGone();
      return done;
    }
    const { uid } = offer.metadata;
    const known = this.#probes.get(uid) ?? { failures: 0, nextMs: Number.NEGATIVE_INFINITY };
    const waitMs = known.nextMs - clock.monotonicMs();
    if (waitMs > 0) return requeueAfter(waitMs, 'waiting for the next probe');
    const isAlive = await this.#isAlive(offer, run.signal);
    const failures = isAlive ? 0 : known.failures + 1;
    const retryMs = keepaliveRetryTime * 1_000;
    this.#probes.set(uid, { failures, nextMs: clock.monotonicMs() + retryMs });
    if (failures < keepaliveThreshold) return requeueAfter(retryMs, 'waiting for the next probe');
    return this.#giveUp(offer, failures, run.signal);
  }

  /** Only silence and a server that fails count. Without credentials there is no virtual node to lose. */
  async #isAlive(offer: Offer, signal: AbortSignal): Promise<boolean> {
    if (!isConditionTrue(offer.status?.conditions, 'CredentialsReady')) return true;
    const { client, clock, connectPeer } = this.#context;
    const { namespace } = offer.metadata;
    const { name } = offer.spec.kubeConfigRef;
    const secret = await client.get(Secret, { namespace, name }, signal);
    const encoded = secret?.data?.kubeconfig;
    if (!encoded) return true;
    using limit = deadline(clock, timeoutMs, 'The provider did not answer');
    const ended = AbortSignal.any([signal, limit.signal]);
    try {
      await using peer = await connectPeer(Buffer.from(encoded, 'base64').toString());
      const response = await peer.raw({ method: 'GET', path: '/livez' }, ended);
      response.discard();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      // The identity is refused: the provider does not honour the offer any more.
      if (isUnauthorized(error)) return false;
      return error instanceof ApiError && error.code < 500;
    }
  }

  async #giveUp(offer: Offer, failures: number, signal: AbortSignal): Promise<Outcome> {
    const { client, clock, events } = this.#context;
    const message = `The provider has not answered ${failures} times in a row`;
    const status = unreachableOfferStatus(offer.status, message, formatTime(clock.now()));
    const written = await writeStatus(client, Advertisement, offer, status, signal);
    events.record({
      regarding: written,
      type: 'Warning',
      reason: 'NoAnswer',
      action: 'Deleting',
      note: message,
    });
    await removeIfThere(client, Advertisement, written, { signal });
    return done;
  }

  #forgetGone(): void {
    const alive = new Set(this.#context.offers.list().map(({ metadata }) => metadata.uid));
    for (const uid of this.#probes.keys()) if (!alive.has(uid)) this.#probes.delete(uid);
  }
}
