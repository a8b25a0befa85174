import type { Client, Clock, Random } from '@liqo/kube';
import { jitter, sleep } from '@liqo/kube';

export interface ProviderHealthOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** Told when the contact becomes another one. */
  readonly onChange: () => void;
  readonly everyMs?: number;
  readonly timeoutMs?: number;
  /** How old the last sign of life may be. */
  readonly patienceMs?: number;
}

/** Not known until the provider has answered, or has had the time to. */
export type Contact = 'unknown' | 'lost' | 'there';

const defaults = { everyMs: 10_000, timeoutMs: 5_000, patienceMs: 25_000 };

/**
 * Whether the provider's API server answers, by our own observation, which has an age: a look that failed or hangs does
 * not make the last good one younger. A single failed look is not yet silence.
 */
export class ProviderHealth implements AsyncDisposable {
  readonly #options: ProviderHealthOptions & typeof defaults;
  readonly #stop = new AbortController();
  readonly #looking: Promise<void>;
  #answeredMs: number | undefined;
  #failure = 'it has not answered yet';
  readonly #startedMs: number;
  #told: Contact = 'unknown';

  constructor(options: ProviderHealthOptions) {
    this.#options = { ...defaults, ...options };
    this.#startedMs = options.clock.monotonicMs();
    this.#looking = this.#look();
  }

  /** Undefined while it can be relied on; else why not, in words. */
  whyUnreachable(): string | undefined {
    const { clock, patienceMs } = this.#options;
    const ageMs =
      this.#answeredMs === undefined ? undefined : clock.monotonicMs() - this.#answeredMs;
    if (ageMs !== undefined && ageMs < patienceMs) return undefined;
    const since = ageMs === undefined ? '' : `no answer for ${Math.round(ageMs / 1000)} s: `;
    return `${since}${this.#failure}`;
  }

  get contact(): Contact {
    const { clock, patienceMs } = this.#options;
    if (this.whyUnreachable() === undefined) return 'there';
    const hasHadTime = clock.monotonicMs() - this.#startedMs >= patienceMs;
    return this.#answeredMs === undefined && !hasHadTime ? 'unknown' : 'lost';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { clock, random, everyMs, onChange } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#askOnce();
      if (signal.aborted) return;
      this.#tell(onChange);
      await sleep(clock, jitter(random, everyMs, 0.1), signal).catch(() => undefined);
    }
  }

  #tell(onChange: () => void): void {
    const { contact } = this;
    if (contact === this.#told) return;
    this.#told = contact;
    onChange();
  }

  async #askOnce(): Promise<void> {
    const { client, clock, timeoutMs } = this.#options;
    const { signal } = this.#stop;
    const asked = new AbortController();
    const timer = clock.after(timeoutMs, () => asked.abort(new Error('it did not answer in time')));
    try {
      const path = '/livez';
      const either = AbortSignal.any([signal, asked.signal]);
      const response = await client.raw({ method: 'GET', path }, either);
      await response.text();
      this.#answeredMs = clock.monotonicMs();
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
    } finally {
      timer.cancel();
    }
  }
}
