import type { CallSignal } from './call-signal.ts';
import { LearntLimit, type LimitBounds } from './learnt-limit.ts';

/**
 * How many requests may be under way at once, learnt from how fast the server answers: there is no QPS to tune. A 429 means
 * that there were too many: the limit is halved, at most once per round trip, so that the answers of one burst count as one.
 *
 * Requests beyond the limit wait here in the order they came. Watches and other open streams do not count.
 */
export class ConcurrencyLimit {
  readonly #limit: LearntLimit;
  #running = 0;
  #lastHalvedMs = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Set<() => void>();

  constructor(bounds: LimitBounds = {}) {
    this.#limit = new LearntLimit(bounds);
  }

  get current(): number {
    return this.#limit.current;
  }

  get running(): number {
    return this.#running;
  }

  /** Resolves when it is this request's turn; each turn must be given back with `release`. */
  acquire(signal?: CallSignal): Promise<void> | undefined {
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
    else if (outcome === 'answered') this.#limit.learn(nowMs - startedMs, this.#waiting.size > 0);
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
    this.#limit.halve();
  }
}
