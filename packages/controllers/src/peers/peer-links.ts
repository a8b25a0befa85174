import type { Client } from '@liqo/kube';
import type { PeerEndpoint } from '@liqo/model';

/** A connection to a peer that another controller holds. */
export interface PeerLink {
  readonly clusterID: string;
  readonly client: Client;
  readonly endpoint: PeerEndpoint;
  /** The tenant namespace about the peer, here. */
  readonly localNamespace: string;
  /** The tenant namespace about this cluster, at the peer. */
  readonly remoteNamespace: string;
  /** Whether the peer holds all watches of the connection open, so that its silence would be noticed. */
  readonly isWatching: () => boolean;
}

export type OnLinkChanged = (clusterID: string) => void;

/** The connections to peers of one process: whoever needs a peer uses the one that exists. */
export class PeerLinks {
  readonly #links = new Map<string, PeerLink>();
  readonly #listeners = new Set<OnLinkChanged>();

  of(clusterID: string): PeerLink | undefined {
    return this.#links.get(clusterID);
  }

  /** Replaces the link to the same peer. */
  add(link: PeerLink): void {
    this.#links.set(link.clusterID, link);
    this.#tell(link.clusterID);
  }

  /** Does nothing if the link to the peer is over another client. */
  remove(clusterID: string, client: Client): void {
    if (this.#links.get(clusterID)?.client !== client) return;
    this.#links.delete(clusterID);
    this.#tell(clusterID);
  }

  /** Also told of every link that exists already. */
  subscribe(listener: OnLinkChanged): Disposable {
    this.#listeners.add(listener);
    for (const clusterID of this.#links.keys()) listener(clusterID);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #tell(clusterID: string): void {
    for (const listener of this.#listeners) listener(clusterID);
  }
}
