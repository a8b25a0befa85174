import {
  type Client,
  type Clock,
  type IpRange,
  isForbidden,
  jitter,
  type Random,
  readServiceRanges,
  ServiceCIDR,
  sleep,
} from '@liqo/kube';
import { WaitList } from './cache/wait-list.ts';
import type { Logger } from './log/log.ts';

interface ServiceRangesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly onChange: () => void;
}

const everyMs = 600_000;
const retryMs = 5_000;

/** The ranges of a cluster's Services, read every few minutes: they hardly ever change. */
export class ServiceRanges implements AsyncDisposable {
  readonly kind = ServiceCIDR;
  readonly #options: ServiceRangesOptions;
  readonly #stop = new AbortController();
  readonly #waiting = new WaitList();
  readonly #reading: Promise<void>;
  #ranges: readonly IpRange[] | undefined;

  constructor(options: ServiceRangesOptions) {
    this.#options = options;
    this.#reading = this.#readOnAndOn();
  }

  /** Empty before the first read. */
  get ranges(): readonly IpRange[] {
    return this.#ranges ?? [];
  }

  get hasSynced(): boolean {
    return this.#ranges !== undefined;
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.#waiting.until(() => this.hasSynced, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#waiting.rejectAll(
      new Error('Cannot wait for the ranges of Services: they are not read any more'),
    );
    await this.#reading;
  }

  async #readOnAndOn(): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const isRead = await this.#readOnce(signal);
      if (signal.aborted) return;
      const waitMs = jitter(random, isRead ? everyMs : retryMs, 0.1);
      await sleep(clock, waitMs, signal).catch(() => undefined);
    }
  }

  async #readOnce(signal: AbortSignal): Promise<boolean> {
    const { client, log, onChange } = this.#options;
    try {
      this.#ranges = await readServiceRanges(client, signal);
    } catch (error) {
      if (signal.aborted) return false;
      log.warn('Cannot read the ranges of Services: addresses in them may be accepted from peers', {
        err: error,
      });
      if (!isForbidden(error)) return false;
      this.#ranges ??= [];
    }
    this.#waiting.check();
    onChange();
    return true;
  }
}
