import { finalizers, labels, ResourceSlice } from '@liqo/api';
import {
  type Client,
  type Clock,
  formatTime,
  isNotFound,
  keyOf,
  keyString,
  type ObjectKey,
  parseTime,
  type Stored,
} from '@liqo/kube';
import {
  acceptStatus,
  inaccessibleStatus,
  isCopyFrom,
  isGivenUp,
  planReplication,
  type ReplicatedObject,
} from '@liqo/model';
import {
  type CachedReader,
  confirmAbsent,
  done,
  type EventRecorder,
  ensureFinalizer,
  hasFinalizer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import { type PeerConnection, type PeerConnections, peerTimeoutMs } from './peer-connections.ts';
import { answerOfPeer, PeerRefusedError } from './peer-refusal.ts';
import type { ReplicatedKind } from './replicated-kind.ts';

export interface ReplicationWorld {
  readonly client: Client;
  readonly clock: Clock;
  readonly clusterID: string;
  readonly events: EventRecorder;
  readonly kind: ReplicatedKind;
  readonly originals: CachedReader<ReplicatedObject>;
  readonly connections: Pick<PeerConnections, 'inTenantNamespace' | 'of'>;
  /** Whether there is a Secret that leads to the peer, connected already or not. */
  readonly hasCredentials: (clusterID: string) => boolean;
  /** Whether a person has said that the peer will never be back. */
  readonly isGoneForGood: (clusterID: string) => boolean;
}

type Original = Stored<ReplicatedObject>;

const lookAgainMs = 30_000;

/** Keeps the copies of one kind in step with their originals, and brings their status back. */
export class OriginalReconciler {
  readonly #world: ReplicationWorld;

  constructor(world: ReplicationWorld) {
    this.#world = world;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const original = this.#world.originals.get(key);
    if (!original) return this.#removeOrphan(key, signal);
    const clusterID = destinationOf(original);
    const connection = this.#world.connections.of(clusterID);
    if (connection && connection.peer.localNamespace !== key.namespace) {
      return this.#ignore(original, connection, signal);
    }
    try {
      return original.metadata.deletionTimestamp === undefined
        ? await this.#keepInStep(original, connection, signal)
        : await this.#withdraw(original, connection, signal);
    } catch (error) {
      if (!(error instanceof PeerRefusedError)) throw error;
      return this.#giveUpOrWait(original, error, signal);
    }
  }

  /** Only what is in the tenant namespace of a peer is for that peer. */
  async #ignore(
    original: Original,
    { peer }: PeerConnection,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, kind } = this.#world;
    if (original.metadata.deletionTimestamp !== undefined) {
      await removeFinalizer(client, kind, original, finalizers.replicatedResource, signal);
      return done;
    }
    const note = `Not copied to "${peer.clusterID}": its tenant namespace is "${peer.localNamespace}"`;
    return this.#complain(original, 'NotInTenantNamespace', note);
  }

  /** A peer that has drained us never answers: an original that is being deleted is released. */
  async #giveUpOrWait(
    original: Original,
    refusal: PeerRefusedError,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, clock, kind, connections } = this.#world;
    const { deletionTimestamp, name } = original.metadata;
    const clusterID = destinationOf(original);
    const waitedMs = deletionTimestamp ? clock.now() - parseTime(deletionTimestamp) : undefined;
    if (waitedMs === undefined || !isGivenUp(refusal.access, waitedMs)) {
      const reason = refusal.access === 'forbidden' ? 'Forbidden' : 'Unauthorized';
      const note = `"${clusterID}" refuses our credentials: ${refusal.message}`;
      if (refusal.access === 'forbidden') await this.#sayWithdrawn(original, note, signal);
      return this.#complain(original, reason, note);
    }
    const namespace = connections.of(clusterID)?.peer.remoteNamespace;
    const copy = keyString({ namespace, name });
    const note = `Released without its copy: "${clusterID}" refuses our credentials (${refusal.message}). "${copy}" and what was made there for it may still exist`;
    this.#report(original, 'CopyAbandoned', note);
    await removeFinalizer(client, kind, original, finalizers.replicatedResource, signal);
    return done;
  }

  /** A slice stays granted to the eye otherwise: the end of its copy may not be seen any more. */
  async #sayWithdrawn(original: Original, fact: string, signal: AbortSignal): Promise<void> {
    const { client, clock, kind } = this.#world;
    if (kind.kind !== ResourceSlice.kind) return;
    const { status } = original as Stored<ResourceSlice>;
    const withdrawn = inaccessibleStatus(status, fact, formatTime(clock.now()));
    if (withdrawn) await writeStatus(client, kind, original, withdrawn, signal);
  }

  /** A peer that has never answered has nothing of ours: only for one that does is the original held. */
  async #keepInStep(
    found: Original,
    connection: PeerConnection | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { client, kind, clusterID } = this.#world;
    if (!connection) {
      const peer = destinationOf(found);
      return requeueAfter(lookAgainMs, `waiting for the credentials of "${peer}"`);
    }
    const copy = await this.#copyOf(found.metadata.name, connection, signal);
    const finalizer = finalizers.replicatedResource;
    const original = await ensureFinalizer(client, kind, found, finalizer, signal);
    if (!original) return done;
    const { remoteNamespace } = connection.peer;
    const route = { localClusterID: clusterID, remoteNamespace };
    const step = planReplication(original, copy, route);
    if (step.type === 'refuse') return this.#complain(original, step.reason, step.message);
    const call = { signal, timeoutMs: peerTimeoutMs };
    const peer = connection.client;
    if (step.type === 'create') await answerOfPeer(peer.create(kind, step.copy, call));
    if (step.type === 'update') await answerOfPeer(peer.update(kind, step.copy, call));
    if (copy) await this.#takeOverStatus(original, copy, signal);
    return done;
  }

  /** The original may go when its copy has, or when there is nobody to ask. */
  async #withdraw(
    original: Original,
    connection: PeerConnection | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    if (!hasFinalizer(original, finalizers.replicatedResource)) return done;
    // What uses the copy goes before it does. Its end is an event.
    if (hasFinalizer(original, finalizers.ownSlice)) return done;
    const { client, kind, isGoneForGood, hasCredentials } = this.#world;
    const clusterID = destinationOf(original);
    const isGone = isGoneForGood(clusterID);
    if (!isGone && !connection && hasCredentials(clusterID)) {
      return requeueAfter(lookAgainMs, `waiting for the connection to "${clusterID}"`);
    }
    if (connection && !isGone) {
      const copy = await this.#removeCopy(original.metadata.name, connection, signal);
      if (copy) return this.#waitForCopy(original, copy, signal);
    } else {
      const note = `Released without asking "${clusterID}": what was made there for it may still exist`;
      this.#report(original, 'PeerGone', note);
    }
    await removeFinalizer(client, kind, original, finalizers.replicatedResource, signal);
    return done;
  }

  async #waitForCopy(original: Original, copy: Original, signal: AbortSignal): Promise<Outcome> {
    await this.#takeOverStatus(original, copy, signal);
    const clusterID = destinationOf(original);
    return requeueAfter(lookAgainMs, `waiting for "${clusterID}" to remove the copy`);
  }

  /** The status comes from the peer: it is taken over as far as it fits, and bounded. */
  async #takeOverStatus(original: Original, copy: Original, signal: AbortSignal): Promise<void> {
    const { client, kind } = this.#world;
    const schema = kind.definition.status;
    if (copy.status === undefined || !schema) return;
    const accepted = acceptStatus(schema, copy.status);
    const refused = accepted ? accepted.refused.slice(0, 3).join(', ') : 'all of it, for its size';
    if (refused) {
      const note = `The status that "${destinationOf(original)}" wrote is not taken over where it is of another form: ${refused}`;
      this.#report(original, 'StatusRefused', note);
    }
    if (accepted?.value === undefined) return;
    await writeStatus(client, kind, original, accepted.value, signal);
  }

  /** Gives the copy back while it lingers. */
  async #removeCopy(
    name: string,
    connection: PeerConnection,
    signal: AbortSignal,
  ): Promise<Original | undefined> {
    const copy = await this.#copyOf(name, connection, signal);
    if (!copy || !isCopyFrom(copy, this.#world.clusterID)) return undefined;
    return this.#deleteCopy(copy, connection, signal);
  }

  async #deleteCopy(
    copy: Original,
    connection: PeerConnection,
    signal: AbortSignal,
  ): Promise<Original | undefined> {
    if (copy.metadata.deletionTimestamp !== undefined) return copy;
    try {
      const preconditions = { uid: copy.metadata.uid };
      const options = { preconditions, signal, timeoutMs: peerTimeoutMs };
      return await answerOfPeer(connection.client.delete(this.#world.kind, keyOf(copy), options));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** A copy whose original went without us: by force, or while we were away. Its peer's namespace is in the key. */
  async #removeOrphan(key: ObjectKey, signal: AbortSignal): Promise<Outcome> {
    const { client, kind, connections } = this.#world;
    if (!(await confirmAbsent(client, kind, key, signal))) return done;
    for (const connection of connections.inTenantNamespace(key.namespace ?? '')) {
      try {
        await this.#removeCopy(key.name, connection, signal);
      } catch (error) {
        // The informer of the copies lists them, and brings us back here, once the peer grants it again.
        if (!(error instanceof PeerRefusedError)) throw error;
      }
    }
    return done;
  }

  #copyOf(name: string, { client, peer }: PeerConnection, signal: AbortSignal) {
    const key = { namespace: peer.remoteNamespace, name };
    const call = { signal, timeoutMs: peerTimeoutMs };
    return answerOfPeer(client.get(this.#world.kind, key, call));
  }

  #complain(original: Original, reason: string, note: string): Outcome {
    this.#report(original, reason, note);
    return requeueAfter(lookAgainMs, note);
  }

  #report(regarding: Original, reason: string, note: string): void {
    this.#world.events.record({ regarding, type: 'Warning', reason, action: 'Replicating', note });
  }
}

export function destinationOf({ metadata }: ReplicatedObject): string {
  return metadata?.labels?.[labels.replicationDestination] ?? '';
}
