import { type Clock, sleep } from '@liqo/kube';
import { TokenBucket } from '@liqo/runtime';

/** Of one object: one that fails again and again tells so now and then. */
const perObject = { burst: 25, refillMs: 300_000 };
/** Of all together: pods that start do not wait for words about them. */
const together = { burst: 50, refillMs: 50 };
const maxRemembered = 4_096;

/** How often Events of a provider are written, however many it has. */
export class EventPace {
  readonly #clock: Clock;
  readonly #all: TokenBucket;
  /** By UID. The least recently written about first. */
  readonly #objects = new Map<string, TokenBucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#all = new TokenBucket(clock, together);
  }

  /** Resolves when the next one may be written. False if there are too many about this object. */
  async take(uid: string, signal: AbortSignal): Promise<boolean> {
    const bucket = this.#objects.get(uid) ?? new TokenBucket(this.#clock, perObject);
    this.#objects.delete(uid);
    this.#objects.set(uid, bucket);
    const [oldest] = this.#objects.keys();
    if (this.#objects.size > maxRemembered && oldest !== undefined) this.#objects.delete(oldest);
    if (!bucket.take()) return false;
    while (!this.#all.take()) await sleep(this.#clock, together.refillMs, signal);
    return true;
  }
}
