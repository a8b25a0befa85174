/** Answers this fast never mean queueing, whatever the fastest kind of request takes. */
const unremarkableMs = 25;

/**
 * How many requests may be under way at once, learnt from the server instead of configured: there is no QPS to tune.
 *
 * - Every answer that took about as long as the fastest ones says there is room: the limit grows.
 * - Answers that take much longer than that mean requests are queueing over there: it shrinks by one.
 * - A 429 means the server said so: it is halved, at most once per round trip, so that the answers of one burst
 *   count as one.
 *
 * Requests beyond the limit wait here in the order they came. Watches and other open streams do not count.
 */
export class ConcurrencyLimit {
  readonly #min: number;
  readonly #max: number;
  #limit: number;
  #running = 0;
  #fastestMs = Number.POSITIVE_INFINITY;
  #samples = 0;
  #lastHalvedMs = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Set<() => void>();

  constructor(bounds: { min?: number; initial?: number; max?: number } = {}) {
    this.#min = bounds.min ?? 4;
    this.#max = bounds.max ?? 400;
    this.#limit = bounds.initial ?? 64;
  }

  get current(): number {
    return Math.floor(this.#limit);
  }

  get running(): number {
    return this.#running;
  }

  /** Resolves when it is this request's turn; each turn must be given back with `release`. */
  acquire(signal?: AbortSignal): Promise<void> | undefined {
    if (this.#running < this.current && this.#waiting.size === 0) {
      this.#running += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const start = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(start);
        reject(signal?.reason);
      };
      this.#waiting.add(start);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** `startedMs` and `nowMs` are of a monotonic clock. */
  release(outcome: 'answered' | 'refused' | 'failed', startedMs: number, nowMs: number): void {
    this.#running -= 1;
    if (outcome === 'refused') this.#halve(startedMs, nowMs);
    else if (outcome === 'answered') this.#learn(nowMs - startedMs);
    for (const start of this.#waiting) {
      if (this.#running >= this.current) break;
      this.#waiting.delete(start);
      this.#running += 1;
      start();
    }
  }

  #halve(startedMs: number, nowMs: number): void {
    if (startedMs < this.#lastHalvedMs) return;
    this.#lastHalvedMs = nowMs;
    this.#limit = Math.max(this.#min, this.#limit / 2);
  }

  #learn(tookMs: number): void {
    this.#rememberFastest(tookMs);
    const queued = this.#limit * (1 - this.#fastestMs / Math.max(tookMs, this.#fastestMs));
    const slack = 4 * Math.log2(this.#limit + 1);
    if (queued > slack * 2) this.#limit = Math.max(this.#min, this.#limit - 1);
    else if (this.#waiting.size > 0 && queued < slack) {
      this.#limit = Math.min(this.#max, this.#limit + 1);
    }
  }

  /** Forgets slowly, so that a server that has become slower for good is not taken for an overloaded one for ever. */
  #rememberFastest(tookMs: number): void {
    this.#samples += 1;
    if (this.#samples % 1000 === 0) this.#fastestMs *= 2;
    this.#fastestMs = Math.max(unremarkableMs, Math.min(this.#fastestMs, tookMs));
  }
}
