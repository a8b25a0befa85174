import type { Clock, Random } from '@liqo/kube';
import type { ApiServerState } from '@liqo/model';
import type { Metrics } from '@liqo/runtime';
import { ApiServerProbe } from './api-server-probe.ts';
import { PeerGauges } from './peer-gauges.ts';
import type { OnLinkChanged, PeerLinks } from './peer-links.ts';

interface ApiServerProbesOptions {
  readonly links: PeerLinks;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics?: Metrics | undefined;
  /** Told of a peer whose API server changed its state, and of one whose connection changed. */
  readonly onChange: OnLinkChanged;
}

/** How long a connection may take to be made before its absence counts. */
export const connectsWithinMs = 15_000;

/** One probe for each connection to a peer. */
export class ApiServerProbes implements AsyncDisposable {
  readonly #options: ApiServerProbesOptions;
  readonly #gauges: PeerGauges;
  readonly #probes = new Map<string, ApiServerProbe>();
  readonly #subscription: Disposable;
  /** Since when there is no connection to a peer that was asked about. */
  readonly #missingSinceMs = new Map<string, number>();
  #ending: Promise<void> = Promise.resolve();

  constructor(options: ApiServerProbesOptions) {
    this.#options = options;
    this.#gauges = new PeerGauges(options.metrics);
    this.#subscription = options.links.subscribe((clusterID) => this.#follow(clusterID));
  }

  /** For a peer with credentials: after a while without a connection, there is something wrong with them. */
  stateOf(clusterID: string): ApiServerState {
    const probe = this.#probes.get(clusterID);
    if (probe) return probe.state;
    const nowMs = this.#options.clock.monotonicMs();
    const sinceMs = this.#missingSinceMs.get(clusterID) ?? nowMs;
    this.#missingSinceMs.set(clusterID, sinceMs);
    return nowMs - sinceMs < connectsWithinMs ? 'unknown' : 'disconnected';
  }

  /** Nothing is about the peer any more. */
  forget(clusterID: string): void {
    this.#missingSinceMs.delete(clusterID);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    for (const clusterID of this.#probes.keys()) this.#end(clusterID);
    await this.#ending;
  }

  #follow(clusterID: string): void {
    const { links, clock, random, onChange } = this.#options;
    const link = links.of(clusterID);
    const known = this.#probes.get(clusterID);
    if (known && known.link === link) return;
    const state = known?.state;
    this.#end(clusterID);
    if (link) {
      this.#missingSinceMs.delete(clusterID);
      this.#gauges.expires(clusterID, link.endpoint.expiresMs);
      const probe = new ApiServerProbe({
        link,
        clock,
        random,
        state,
        onChange: () => onChange(clusterID),
        onLatency: (seconds) => this.#gauges.latency(clusterID, seconds),
      });
      this.#probes.set(clusterID, probe);
    }
    onChange(clusterID);
  }

  #end(clusterID: string): void {
    const probe = this.#probes.get(clusterID);
    if (!probe) return;
    this.#probes.delete(clusterID);
    this.#gauges.forget(clusterID);
    const ended = probe[Symbol.asyncDispose]();
    this.#ending = this.#ending.then(() => ended);
  }
}
