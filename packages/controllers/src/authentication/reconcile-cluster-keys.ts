import type { KeyObject } from 'node:crypto';
import {
  type Client,
  isConflict,
  keyString,
  type ObjectKey,
  Secret,
  type Stored,
} from '@liqo/kube';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Outcome,
  type ReconcileContext,
  TerminalError,
} from '@liqo/runtime';
import { forgeClusterKeys, readClusterKeys } from './cluster-keys.ts';

export interface ClusterKeysWorld {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly secrets: CachedReader<Secret>;
  readonly newKey: () => KeyObject;
}

/** Sees that this cluster has a key pair. One that exists is never changed: all identities of the cluster hang on it. */
export class ClusterKeysReconciler {
  readonly #world: ClusterKeysWorld;

  constructor(world: ClusterKeysWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, { signal, log }: ReconcileContext): Promise<Outcome> {
    const { client, secrets, newKey } = this.#world;
    const existing = secrets.get(key) ?? (await client.get(Secret, key, signal));
    if (existing) return this.#check(existing);
    const { secret, fingerprint } = forgeClusterKeys(newKey(), key.namespace ?? '');
    try {
      // Each pair has a manager of its own, which owns no field of another pair: the second of two replicas is refused. An
      // apply also needs no right to create Secrets of other names.
      await client.apply(Secret, secret, { fieldManager: `liqo-keys-${fingerprint}`, signal });
      log.info('Created the keys of this cluster', { fingerprint });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    return done;
  }

  async reportTerminal(key: ObjectKey, error: TerminalError): Promise<void> {
    const regarding = this.#world.secrets.get(key);
    if (!regarding) return;
    const { reason, message: note } = error;
    this.#world.events.record({ regarding, type: 'Warning', reason, action: 'Signing', note });
  }

  #check(secret: Stored<Secret>): Outcome {
    const read = readClusterKeys(secret);
    if (read.type === 'keys') return done;
    const name = keyString(secret.metadata);
    const advice =
      'nothing is signed with it; restore it from a backup, or delete it to have a new pair made, with which every peering has to be authenticated again';
    const message = `Cannot use the Secret "${name}": ${read.message}; ${advice}`;
    throw new TerminalError(message, { reason: 'InvalidClusterKeys' });
  }
}
