import type { CallSignal } from './call-signal.ts';
import { Lanes } from './lanes.ts';
import { LearntLimit, type LimitBounds } from './learnt-limit.ts';

/**
 * How many requests may be under way at once, learnt from how fast the server answers: there is no QPS to tune. A 429 means
 * that there were too many: the limit is halved, at most once per round trip, so that the answers of one burst count as one.
 *
 * Requests beyond the limit wait here, in lanes that take turns. Watches and other open streams do not count.
 */
export class ConcurrencyLimit {
  readonly #limit: LearntLimit;
  #running = 0;
  #lastHalvedMs = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Lanes<() => void>();

  constructor(bounds: LimitBounds = {}) {
    this.#limit = new LearntLimit(bounds);
  }

  get current(): number {
    return this.#limit.current;
  }

  get running(): number {
    return this.#running;
  }

  /** Resolves when it is this request's turn; each turn must be given back with `release`. The lane matters to who waits. */
  acquire(signal?: CallSignal, laneOf = () => ''): Promise<void> | undefined {
    if (this.#running < this.current && this.#waiting.size === 0) {
      this.#running += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const lane = laneOf();
      const start = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(lane, start);
        reject(signal?.reason);
      };
      this.#waiting.add(lane, start);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** `startedMs` and `nowMs` are of a monotonic clock. */
  release(outcome: 'answered' | 'refused' | 'failed', startedMs: number, nowMs: number): void {
    this.#running -= 1;
    if (outcome === 'refused') this.#halve(startedMs, nowMs);
    else if (outcome === 'answered') this.#limit.learn(nowMs - startedMs, this.#waiting.size > 0);
    while (this.#waiting.size > 0 && this.#running < this.current) {
      this.#running += 1;
      this.#waiting.shift()?.();
    }
  }

  #halve(startedMs: number, nowMs: number): void {
    if (startedMs < this.#lastHalvedMs) return;
    this.#lastHalvedMs = nowMs;
    this.#limit.halve();
  }
}
