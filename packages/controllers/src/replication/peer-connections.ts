import { labels } from '@liqo/api';
import {
  type Client,
  isNotFound,
  type KubeObject,
  type ObjectKey,
  type Selection,
} from '@liqo/kube';
import type { PeerAccess } from '@liqo/model';
import { type Informer, startInformer } from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import type { PeerLinks } from '../peers/peer-links.ts';
import { readEndpoint } from '../peers/read-endpoint.ts';
import type { PeerKubeconfig } from './peer-kubeconfig.ts';
import { accessOf } from './peer-refusal.ts';
import type { ReplicatedKind } from './replicated-kind.ts';

/** A peer that can be reached, or could the last time. */
export interface PeerConnection {
  readonly peer: PeerKubeconfig;
  readonly client: Client;
}

/** A peer that does not answer delays one worker by this long. */
export const peerTimeoutMs = 10_000;

/** Told the key of the original. */
export type OnCopyChanged = (kind: ReplicatedKind, original: ObjectKey) => void;

interface OpenConnection extends PeerConnection {
  /** The Secret it comes from. */
  readonly source: string;
  readonly informers: readonly Informer<KubeObject>[];
}

/** The peers whose credentials we have, and ears for what happens to our copies there. */
export class PeerConnections implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #kinds: readonly ReplicatedKind[];
  readonly #onCopyChanged: OnCopyChanged;
  readonly #links: PeerLinks;
  readonly #open = new Map<string, OpenConnection>();

  constructor(
    context: ControllerContext,
    kinds: readonly ReplicatedKind[],
    onCopyChanged: OnCopyChanged,
    links: PeerLinks,
  ) {
    this.#context = context;
    this.#links = links;
    this.#kinds = kinds;
    this.#onCopyChanged = onCopyChanged;
  }

  of(clusterID: string): PeerConnection | undefined {
    return this.#open.get(clusterID);
  }

  /** Where copies of originals in this namespace may be. */
  inTenantNamespace(namespace: string): readonly PeerConnection[] {
    return [...this.#open.values()].filter(({ peer }) => peer.localNamespace === namespace);
  }

  /** Asks the peer for the copies that it has of us. Never rejects: no answer is no access to conclude from. */
  async accessTo(clusterID: string, signal: AbortSignal): Promise<PeerAccess> {
    const connection = this.#open.get(clusterID);
    if (!connection) return 'unknown';
    for (const kind of this.#kinds) {
      const selection = this.#copiesAt(connection.peer);
      try {
        await connection.client.list(kind, { ...selection, signal, timeoutMs: peerTimeoutMs });
      } catch (error) {
        // A peer that does not have the kind has no copy of it.
        if (!isNotFound(error)) return accessOf(error);
      }
    }
    return 'granted';
  }

  /**
   * Connects, and connects anew when the credentials lead to another place. Others for the same place are used from the next
   * request on, and no watch ends. Sends nothing by itself.
   */
  async open(source: string, peer: PeerKubeconfig): Promise<void> {
    const known = this.#open.get(peer.clusterID);
    if (known?.source === source && known.peer.fingerprint === peer.fingerprint) return;
    const client = await this.#context.connectPeer(peer.kubeconfig);
    if (known?.source === source && isSamePlace(known.peer, peer)) {
      if (await known.client.takeCredentialsOf(client)) {
        await client[Symbol.asyncDispose]();
        return this.#keep({ ...known, peer });
      }
    }
    const informers = this.#kinds.map((kind) => this.#listen(kind, peer, client));
    this.#keep({ source, peer, client, informers });
    if (known) await this.#end(known);
  }

  async close(source: string): Promise<void> {
    for (const [clusterID, connection] of this.#open) {
      if (connection.source !== source) continue;
      this.#open.delete(clusterID);
      await this.#end(connection);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map((connection) => this.#end(connection)));
  }

  #keep(connection: OpenConnection): void {
    const { peer, client, informers } = connection;
    const { clusterID, localNamespace, remoteNamespace } = peer;
    this.#open.set(clusterID, connection);
    this.#links.add({
      clusterID,
      client,
      localNamespace,
      remoteNamespace,
      endpoint: readEndpoint(peer.kubeconfig),
      isWatching: () => informers.every(({ silentForMs }) => silentForMs === 0),
    });
  }

  async #end({ peer, client, informers }: OpenConnection): Promise<void> {
    this.#links.remove(peer.clusterID, client);
    await Promise.all(informers.map((informer) => informer[Symbol.asyncDispose]()));
    await client[Symbol.asyncDispose]();
  }

  #listen(kind: ReplicatedKind, peer: PeerKubeconfig, client: Client): Informer<KubeObject> {
    const { clock, random } = this.#context;
    const log = this.#context.log.with({ peer: peer.clusterID });
    const selection = this.#copiesAt(peer);
    const informer = startInformer<KubeObject>({ client, kind, clock, random, log, selection });
    const tell = ({ metadata }: KubeObject) => {
      this.#onCopyChanged(kind, { namespace: peer.localNamespace, name: metadata?.name ?? '' });
    };
    informer.subscribe({ onAdd: tell, onUpdate: tell, onDelete: tell });
    return informer;
  }

  #copiesAt(peer: PeerKubeconfig): Selection & { readonly namespace: string } {
    const origin = `${labels.replicationOrigin}=${this.#context.clusterID}`;
    return {
      namespace: peer.remoteNamespace,
      labelSelector: `${origin},${labels.replicated}=true`,
    };
  }
}

/** Whether the copies are in the same namespace, and the originals too. */
function isSamePlace(one: PeerKubeconfig, other: PeerKubeconfig): boolean {
  return (
    one.localNamespace === other.localNamespace && one.remoteNamespace === other.remoteNamespace
  );
}
