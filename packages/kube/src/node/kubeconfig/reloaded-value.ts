import type { Clock } from '../../clock.ts';
import type { LiveValue } from './live-value.ts';
import { SingleFlight } from './single-flight.ts';

export interface Reload<T> {
  /** Reads the value anew. */
  readonly read: () => Promise<T>;
  readonly isSame: (one: T, other: T) => boolean;
  readonly clock: Clock;
  /** What counts until the first successful read; without it the first read must succeed. */
  readonly initial?: T | undefined;
  /** Told about a failed read that was bridged with the last good value. */
  readonly onStale?: ((error: unknown) => void) | undefined;
}

/** Half the time in which a kubelet replaces a token before it expires, and what client-go does. */
const reloadEveryMs = 60_000;

/**
 * A value read from files that somebody else replaces: read again once a minute, when it is asked for. A file is briefly
 * gone or half written while it is replaced, so a failed read keeps the last good value.
 */
export class ReloadedValue<T> implements LiveValue<T> {
  readonly #options: Reload<T>;
  readonly #reads = new SingleFlight<T>();
  #known: { readonly value: T } | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: Reload<T>) {
    this.#options = options;
    if (options.initial !== undefined) this.#known = { value: options.initial };
  }

  async current(signal?: AbortSignal): Promise<T> {
    const ageMs = this.#options.clock.monotonicMs() - this.#readAtMs;
    return this.#known && ageMs < reloadEveryMs ? this.#known.value : this.refresh(signal);
  }

  refresh(signal?: AbortSignal): Promise<T> {
    return this.#reads.join(() => this.#reload(), signal);
  }

  async #reload(): Promise<T> {
    try {
      const value = await this.#options.read();
      if (!this.#known || !this.#options.isSame(this.#known.value, value)) this.#known = { value };
    } catch (error) {
      if (!this.#known) throw error;
      this.#options.onStale?.(error);
    }
    this.#readAtMs = this.#options.clock.monotonicMs();
    return this.#known.value;
  }
}
