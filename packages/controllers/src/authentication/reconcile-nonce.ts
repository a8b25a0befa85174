import { keyOf, Namespace, type ObjectKey, Secret, type Stored } from '@liqo/kube';
import {
  describeNonceStep,
  findNonceSecret,
  findTenantNamespace,
  type NonceReason,
  type NonceStep,
  nonceLifetimeMs,
  peerOfTenantNamespace,
  planNonce,
  readNonceRecord,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';
import { issueNonce, type NonceHolder, type NonceIssuer, nonceOf } from './issue-nonce.ts';

interface NonceContext extends NonceIssuer {
  readonly events: EventRecorder;
  /** The tenant namespaces. */
  readonly namespaces: CachedReader<Namespace>;
  /** Those for nonces, in tenant namespaces. */
  readonly nonces: CachedReader<Secret>;
}

/** Keeps a nonce in the Secret for it, in the tenant namespace of each peer and in no other namespace. */
export class NonceReconciler {
  readonly #context: NonceContext;

  constructor(context: NonceContext) {
    this.#context = context;
  }

  /** The key is that of a tenant namespace: each has one nonce. */
  async reconcile({ name }: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const cached = this.#find(name);
    if (!cached) return done;
    const step = this.#plan(cached);
    if (step.type === 'keep') return awaitExpiry(step.expiresInMs);
    // A nonce that the consumer has read already must not be replaced because a cache does not show it yet.
    const live = await this.#readLive(cached, signal);
    if (!live) return done;
    const confirmed = this.#plan(live);
    if (confirmed.type === 'keep') return awaitExpiry(confirmed.expiresInMs);
    this.#report(await issueNonce(this.#context, live, signal), confirmed.reason);
    return awaitExpiry(nonceLifetimeMs);
  }

  #find(name: string): NonceHolder | undefined {
    const { namespaces, nonces } = this.#context;
    const namespace = namespaces.get({ name });
    if (!namespace || namespace.metadata.deletionTimestamp !== undefined) return undefined;
    const peer = peerOfTenantNamespace(namespace);
    if (peer === undefined || findTenantNamespace(peer, namespaces.list()) !== name) {
      return undefined;
    }
    const secret = findNonceSecret(peer, nonces.list(name));
    return secret && { namespace, secret };
  }

  async #readLive(cached: NonceHolder, signal: AbortSignal): Promise<NonceHolder | undefined> {
    const { client } = this.#context;
    const namespace = await client.get(Namespace, keyOf(cached.namespace), signal);
    const secret = await client.get(Secret, keyOf(cached.secret), signal);
    if (!namespace || secret?.metadata.uid !== cached.secret.metadata.uid) return undefined;
    return { namespace, secret };
  }

  #plan({ namespace, secret }: NonceHolder): NonceStep {
    return planNonce(nonceOf(secret), readNonceRecord(namespace), this.#context.clock.now());
  }

  #report(regarding: Stored<Secret>, reason: NonceReason): void {
    const note = describeNonceStep(reason);
    this.#context.events.record({ regarding, type: 'Normal', reason, action: 'Issuing', note });
  }
}

function awaitExpiry(delayMs: number): Outcome {
  return requeueAfter(delayMs, 'waiting for the nonce to expire');
}
