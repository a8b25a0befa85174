import type { Metrics } from '@liqo/runtime';

const label = 'cluster_id';

type Gauge = ReturnType<Metrics['gauge']>;

/** What is measured of the peers that this cluster is connected to: one series each, for as long as they are. */
export class PeerGauges {
  readonly #latency: Gauge | undefined;
  readonly #expiry: Gauge | undefined;

  constructor(metrics: Metrics | undefined) {
    this.#latency = metrics?.gauge('liqo_peer_api_server_latency_seconds', {
      help: 'How long the API server of a peer took to answer the last probe',
      label,
    });
    this.#expiry = metrics?.gauge('liqo_identity_expiry_timestamp_seconds', {
      help: 'When the certificate of the control plane at a peer expires, in seconds since the epoch',
      label,
    });
  }

  latency(clusterID: string, seconds: number): void {
    this.#latency?.set(clusterID, seconds);
  }

  /** Undefined for credentials that do not say when they expire. */
  expires(clusterID: string, expiresMs: number | undefined): void {
    if (expiresMs !== undefined) this.#expiry?.set(clusterID, Math.floor(expiresMs / 1_000));
  }

  forget(clusterID: string): void {
    this.#latency?.remove(clusterID);
    this.#expiry?.remove(clusterID);
  }
}
