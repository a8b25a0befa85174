import { Advertisement, type ClusterConfig, finalizers } from '@liqo/api';
import {
  ApiError,
  type Client,
  type Clock,
  deadline,
  findCondition,
  formatTime,
  isConditionTrue,
  isUnauthorized,
  type ObjectKey,
  Secret,
  type Stored,
} from '@liqo/kube';
import { reachableOfferStatus, unreachableOfferStatus } from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  hasFinalizer,
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

/** Those of the kind, for as long as there is no ClusterConfig. */
const defaults = { keepaliveThreshold: 3, keepaliveRetryTime: 20 };

/**
 * Probes the provider of every offer that has, or may have, a virtual node: also of one that is being drained. Failures are
 * counted in memory: after a restart the count begins anew, and the probes go on.
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
    const { keepaliveThreshold, keepaliveRetryTime } = readConfig() ?? defaults;
    // It has a virtual node, or is about to.
    const isHeld = offer && hasFinalizer(offer, finalizers.advertisement);
    if (!isHeld || keepaliveThreshold === 0) {
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
    if (isAlive) await this.#noteAnswer(offer, run.signal);
    if (failures >= keepaliveThreshold) await this.#giveUp(offer, failures, run.signal);
    return requeueAfter(retryMs, 'waiting for the next probe');
  }

  /** One write for each time that the provider comes back. */
  async #noteAnswer(offer: Offer, signal: AbortSignal): Promise<void> {
    const { client, clock } = this.#context;
    if (!hasCredentials(offer)) return;
    const status = reachableOfferStatus(offer.status, formatTime(clock.now()));
    await writeStatus(client, Advertisement, offer, status, signal);
  }

  /** Only silence and a server that fails count. Without credentials there is no virtual node to lose. */
  async #isAlive(offer: Offer, signal: AbortSignal): Promise<boolean> {
    if (!hasCredentials(offer)) return true;
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

  /** One that is refused or withdrawn is not deleted, but its drain ends. */
  async #giveUp(offer: Offer, failures: number, signal: AbortSignal): Promise<void> {
    const isKnown = findCondition(offer.status?.conditions, 'Reachable')?.status === 'False';
    const written = isKnown ? offer : await this.#report(offer, failures, signal);
    const isGoing = written.metadata.deletionTimestamp !== undefined;
    if (isGoing || written.status?.phase !== 'Accepted') return;
    await removeIfThere(this.#context.client, Advertisement, written, { signal });
  }

  async #report(offer: Offer, failures: number, signal: AbortSignal): Promise<Offer> {
    const { client, clock, events } = this.#context;
    const note = `The provider has not answered ${failures} times in a row`;
    const status = unreachableOfferStatus(offer.status, note, formatTime(clock.now()));
    const regarding = await writeStatus(client, Advertisement, offer, status, signal);
    events.record({ regarding, type: 'Warning', reason: 'NoAnswer', action: 'Deleting', note });
    return regarding;
  }

  #forgetGone(): void {
    const alive = new Set(this.#context.offers.list().map(({ metadata }) => metadata.uid));
    for (const uid of this.#probes.keys()) if (!alive.has(uid)) this.#probes.delete(uid);
  }
}

/** Or had them: the reference stays until the virtual node is gone. */
function hasCredentials({ status }: Offer): boolean {
  const isReady = isConditionTrue(status?.conditions, 'CredentialsReady');
  return isReady || status?.virtualNodeRef !== undefined;
}
