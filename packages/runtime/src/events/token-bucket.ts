import type { Clock } from '@liqo/kube';

export interface TokenBucketOptions {
  /** How many may be taken at once after a rest. */
  readonly burst: number;
  /** How long until one that was taken is back. */
  readonly refillMs: number;
}

/** A limit on how often something may happen: bursts are fine, going on like that is not. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  readonly #clock: Clock;
  #tokens: number;
  #countedMs: number;

  constructor(clock: Clock, options: TokenBucketOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#tokens = options.burst;
    this.#countedMs = clock.monotonicMs();
  }

  /** False when it may not happen now. */
  take(): boolean {
    const { burst, refillMs } = this.#options;
    const nowMs = this.#clock.monotonicMs();
    this.#tokens = Math.min(burst, this.#tokens + (nowMs - this.#countedMs) / refillMs);
    this.#countedMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
