import { type Client, type Clock, Pod, type Stored } from '@liqo/kube';

/** Offers are refreshed every few minutes: what is free may be this old. */
const freshMs = 20_000;

/** The pods of this cluster, listed once for all offers that are composed at about the same time. */
export class PodsReader {
  readonly #client: Client;
  readonly #clock: Clock;
  #pods: readonly Stored<Pod>[] = [];
  #listedMs = Number.NEGATIVE_INFINITY;

  constructor({ client, clock }: { readonly client: Client; readonly clock: Clock }) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Those that have not finished. A list, not a watch: pods of others come and go all the time. */
  async read(signal: AbortSignal): Promise<readonly Stored<Pod>[]> {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#listedMs < freshMs) return this.#pods;
    const fieldSelector = 'status.phase!=Succeeded,status.phase!=Failed';
    const { items } = await this.#client.list(Pod, { fieldSelector, signal });
    this.#pods = items;
    this.#listedMs = nowMs;
    return items;
  }
}
