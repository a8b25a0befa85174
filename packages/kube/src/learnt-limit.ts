/** What takes no longer than this never means queueing, whatever the fastest of its kind takes. */
const unremarkableMs = 25;

export interface LimitBounds {
  readonly min?: number;
  readonly initial?: number;
  readonly max?: number;
  /** How many may queue over there, as a multiple of the logarithm of the limit: 4 unless it says otherwise. */
  readonly queue?: number;
}

/**
 * How much may be under way at a time at somebody else's, learnt from how long it takes instead of configured.
 *
 * - What took about as long as the fastest of its kind says there is room: the limit grows.
 * - What took much longer means that things queue over there: it shrinks by one.
 */
export class LearntLimit {
  readonly #min: number;
  readonly #max: number;
  readonly #queue: number;
  #limit: number;
  #fastestMs = Number.POSITIVE_INFINITY;
  #samples = 0;

  constructor({ min = 4, initial = 64, max = 400, queue = 4 }: LimitBounds = {}) {
    this.#min = min;
    this.#max = max;
    this.#queue = queue;
    this.#limit = initial;
  }

  get current(): number {
    return Math.floor(this.#limit);
  }

  /** Something took so long. `isScarce`: more would be under way if they might. */
  learn(tookMs: number, isScarce: boolean): void {
    this.#rememberFastest(tookMs);
    const queued = this.#limit * (1 - this.#fastestMs / Math.max(tookMs, this.#fastestMs));
    const slack = this.#queue * Math.log2(this.#limit + 1);
    if (queued > slack * 2) this.#limit = Math.max(this.#min, this.#limit - 1);
    else if (isScarce && queued < slack) this.#limit = Math.min(this.#max, this.#limit + 1);
  }

  halve(): void {
    this.#limit = Math.max(this.#min, this.#limit / 2);
  }

  /** Forgets slowly, so that a server that has become slower for good is not taken for an overloaded one for ever. */
  #rememberFastest(tookMs: number): void {
    this.#samples += 1;
    if (this.#samples % 1000 === 0) this.#fastestMs *= 2;
    this.#fastestMs = Math.max(unremarkableMs, Math.min(this.#fastestMs, tookMs));
  }
}
