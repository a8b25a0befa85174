import { labels } from '@liqo/api';
import { type Client, mergePatch, type ObjectKey, Secret, type Stored } from '@liqo/kube';
import { isNonce } from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
  TerminalError,
} from '@liqo/runtime';
import type { ClusterKeysReader } from './cluster-keys-reader.ts';
import { signNonce } from './sign-nonce.ts';

export interface SignedNonceWorld {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly secrets: CachedReader<Secret>;
  readonly clusterKeys: Pick<ClusterKeysReader, 'keys' | 'whyMissing'>;
  /** Why an object in that namespace says nothing about the peer; undefined in the tenant namespace of the peer. */
  readonly whyMisplaced: (namespace: string, peer: string) => string | undefined;
}

/** Another change brings the key back earlier: this is for keys that a person repairs. */
const lookAgainMs = 60_000;

/** Signs the nonce of a provider with the key of this cluster. */
export class SignedNonceReconciler {
  readonly #world: SignedNonceWorld;

  constructor(world: SignedNonceWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const { client, secrets, clusterKeys } = this.#world;
    const secret = secrets.get(key);
    if (!secret || !isSignedNonce(secret)) return done;
    const nonce = this.#nonceOf(secret);
    if (nonce === undefined) return done;
    const { keys } = clusterKeys;
    if (!keys) return requeueAfter(lookAgainMs, clusterKeys.whyMissing() ?? 'waiting for the keys');
    const signedNonce = signNonce(nonce, keys.privateKey);
    if (secret.data?.signedNonce === signedNonce) return done;
    const { resourceVersion } = secret.metadata;
    const patch = mergePatch({ metadata: { resourceVersion }, data: { signedNonce } });
    await client.patch(Secret, key, patch, { signal });
    return done;
  }

  async reportTerminal(key: ObjectKey, error: TerminalError): Promise<void> {
    const regarding = this.#world.secrets.get(key);
    if (!regarding) return;
    const { reason, message: note } = error;
    this.#world.events.record({ regarding, type: 'Warning', reason, action: 'Signing', note });
  }

  /** Undefined while there is none. Whatever else is signed could be used where the cluster key counts. */
  #nonceOf({ metadata, data }: Stored<Secret>): string | undefined {
    const peer = metadata.labels?.[labels.remoteClusterID] ?? '';
    const misplaced = this.#world.whyMisplaced(metadata.namespace ?? '', peer);
    if (misplaced !== undefined) {
      const message = `Not signed: ${misplaced}`;
      throw new TerminalError(message, { reason: 'NotInTenantNamespace' });
    }
    if (!data?.nonce) return undefined;
    const nonce = Buffer.from(data.nonce, 'base64').toString('latin1');
    if (isNonce(nonce)) return nonce;
    const message =
      'Not signed: the value of "nonce" is not the base64 text of 64 bytes; copy it from the provider ("liqoctl get nonce")';
    throw new TerminalError(message, { reason: 'InvalidNonce' });
  }
}

function isSignedNonce({ metadata }: Secret): boolean {
  return Object.hasOwn(metadata?.labels ?? {}, labels.signedNonce);
}
