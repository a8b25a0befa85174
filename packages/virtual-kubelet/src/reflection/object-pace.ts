import type { Clock } from '@liqo/kube';
import { TokenBucket } from '@liqo/runtime';

interface Rate {
  readonly burst: number;
  readonly refillMs: number;
}

const maxRemembered = 4_096;

/** How often something is written about one object, however often a provider asks for it. */
export class ObjectPace {
  readonly #clock: Clock;
  readonly #rate: Rate;
  /** By UID. The least recently written about first. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
  }

  /** In how many milliseconds to ask again; 0 when it may be written now. */
  take(uid: string): number {
    const bucket = this.#buckets.get(uid) ?? new TokenBucket(this.#clock, this.#rate);
    this.#buckets.delete(uid);
    this.#buckets.set(uid, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxRemembered && oldest !== undefined) this.#buckets.delete(oldest);
    return bucket.take() ? 0 : this.#rate.refillMs;
  }
}
