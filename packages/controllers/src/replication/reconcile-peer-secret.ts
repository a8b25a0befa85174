import { finalizers } from '@liqo/api';
import {
  type Client,
  type Clock,
  keyString,
  type ObjectKey,
  parseTime,
  Secret,
  type Stored,
} from '@liqo/kube';
import { isGivenUp } from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  ensureFinalizer,
  hasFinalizer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  TerminalError,
} from '@liqo/runtime';
import type { PeerConnections } from './peer-connections.ts';
import { isPeerSecret, type PeerKubeconfig, peerOf, readPeerSecret } from './peer-kubeconfig.ts';

export interface PeerSecretWorld {
  readonly client: Client;
  readonly clock: Clock;
  readonly events: EventRecorder;
  readonly secrets: CachedReader<Secret>;
  readonly connections: Pick<PeerConnections, 'accessTo' | 'close' | 'open'>;
  /** Why a Secret of that namespace says nothing about the peer; undefined in the tenant namespace of the peer. */
  readonly whyMisplaced: (namespace: string, clusterID: string) => string | undefined;
  /** How many originals for the peer still hold on to their copies; none if it is gone for good. */
  readonly countHeld: (clusterID: string, signal: AbortSignal) => Promise<number>;
  /** Everything about the peer is to be looked at again. */
  readonly onConnected: (clusterID: string) => void;
}

/** One connection for every Secret that leads to a peer, in the tenant namespace of that peer. */
export class PeerSecretReconciler {
  readonly #world: PeerSecretWorld;

  constructor(world: PeerSecretWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const { secrets, connections } = this.#world;
    const secret = secrets.get(key);
    const source = keyString(key);
    if (!secret || !isPeerSecret(secret)) {
      await connections.close(source);
      return this.#release(secret, signal);
    }
    const read = this.#read(secret);
    if (secret.metadata.deletionTimestamp !== undefined) {
      return this.#disconnect(secret, read.type === 'peer' ? read.peer : undefined, signal);
    }
    if (read.type === 'fault') return this.#refuse(secret, read.reason, read.message);
    return this.#connect(secret, read.peer, signal);
  }

  /** One that is no longer labelled as credentials must be able to go. */
  async #release(secret: Stored<Secret> | undefined, signal: AbortSignal): Promise<Outcome> {
    const { client } = this.#world;
    if (secret) await removeFinalizer(client, Secret, secret, finalizers.replicator, signal);
    return done;
  }

  #whyMisplaced({ metadata }: Stored<Secret>): string | undefined {
    return this.#world.whyMisplaced(metadata.namespace ?? '', peerOf({ metadata }));
  }

  #read(secret: Stored<Secret>) {
    const misplaced = this.#whyMisplaced(secret);
    if (misplaced !== undefined) {
      const message = `Not used: ${misplaced}`;
      return { type: 'fault', reason: 'NotInTenantNamespace', message } as const;
    }
    const read = readPeerSecret(secret);
    if (read.type === 'fault') return { ...read, reason: 'InvalidSecret' };
    const { clusterID } = read.peer;
    const older = this.#olderOneFor(clusterID, secret);
    if (!older) return read;
    const message = `"${older}" leads to "${clusterID}" already: this one is not used`;
    return { type: 'fault', reason: 'DuplicateIdentity', message } as const;
  }

  async #connect(
    secret: Stored<Secret>,
    peer: PeerKubeconfig,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, connections } = this.#world;
    const held = await ensureFinalizer(client, Secret, secret, finalizers.replicator, signal);
    if (!held) return done;
    try {
      await connections.open(keyString(secret.metadata), peer);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return this.#refuse(secret, 'InvalidKubeconfig', why);
    }
    this.#world.onConnected(peer.clusterID);
    return done;
  }

  /** The credentials are needed until the last copy is gone, unless nobody is there to ask. */
  async #disconnect(
    secret: Stored<Secret>,
    peer: PeerKubeconfig | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, connections, countHeld } = this.#world;
    const source = keyString(secret.metadata);
    const isHolding = hasFinalizer(secret, finalizers.replicator);
    const held = peer && isHolding ? await countHeld(peer.clusterID, signal) : 0;
    if (peer && held > 0 && (await this.#isConnected(source, peer))) {
      if (!(await this.#isGivenUp(secret, peer, signal))) {
        return requeueAfter(5_000, `waiting for ${held} objects that have a copy at the peer`);
      }
      const { clusterID, remoteNamespace } = peer;
      const note = `Released although ${held} objects have a copy: "${clusterID}" refuses our credentials. What was made for them in and from "${remoteNamespace}" may still exist there`;
      this.#report(secret, 'CopyAbandoned', note);
    }
    await connections.close(source);
    await removeFinalizer(client, Secret, secret, finalizers.replicator, signal);
    return done;
  }

  async #isGivenUp(
    { metadata }: Stored<Secret>,
    { clusterID }: PeerKubeconfig,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { clock, connections } = this.#world;
    const access = await connections.accessTo(clusterID, signal);
    return isGivenUp(access, clock.now() - parseTime(metadata.deletionTimestamp ?? ''));
  }

  /** After a restart nobody has connected yet, and what does not lead anywhere is no use to wait for. */
  async #isConnected(source: string, peer: PeerKubeconfig): Promise<boolean> {
    try {
      await this.#world.connections.open(source, peer);
      return true;
    } catch {
      // Said when it was still to be used.
      return false;
    }
  }

  #olderOneFor(clusterID: string, secret: Stored<Secret>): string | undefined {
    const rivals = this.#world.secrets
      .list()
      .filter(isPeerSecret)
      .filter((other) => {
        const read = readPeerSecret(other);
        const isRival = read.type === 'peer' && read.peer.clusterID === clusterID;
        return isRival && this.#whyMisplaced(other) === undefined && isOlder(other, secret);
      });
    return rivals[0] && keyString(rivals[0].metadata);
  }

  /** For the controller: only another Secret, or another content of this one, helps. */
  async reportTerminal(key: ObjectKey, error: TerminalError): Promise<void> {
    const secret = this.#world.secrets.get(key);
    if (secret) this.#report(secret, error.reason, error.message);
  }

  async #refuse({ metadata }: Stored<Secret>, reason: string, message: string): Promise<never> {
    await this.#world.connections.close(keyString(metadata));
    throw new TerminalError(message, { reason });
  }

  #report(regarding: Stored<Secret>, reason: string, note: string): void {
    this.#world.events.record({ regarding, type: 'Warning', reason, action: 'Connecting', note });
  }
}

function isOlder(one: Stored<Secret>, other: Stored<Secret>): boolean {
  const age = ({ metadata }: Stored<Secret>) =>
    [metadata.creationTimestamp, keyString(metadata)].join();
  return one.metadata.uid !== other.metadata.uid && age(one) < age(other);
}
