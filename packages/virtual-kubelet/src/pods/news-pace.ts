export interface NewsPaceOptions {
  /** Never fewer than this. */
  readonly least: number;
  /** News that take longer mean that the API server here has more to do than it can. */
  readonly lateMs: number;
}

/** News this often late, and never enough in time between them: that few go on does not make them any sooner. */
const patience = 100;
/** Times the least: with so many under way again, it did. */
const enough = 4;
/** What was borne meanwhile is forgotten with this much of it for everything that is told in time again. */
const forgetting = 0.01;

/**
 * How many pods may be under way at a time, as far as the API server here is concerned: all, until it takes long to tell of what
 * was written to it. Then it has more to do than it can, and everybody hears of everything late; few go on, and one more
 * with all that is told in time. One that stays late with few is slow by nature, and twice as much is late from then on.
 */
export class NewsPace {
  readonly #options: NewsPaceOptions;
  #current = Number.POSITIVE_INFINITY;
  #borneMs: number;
  /** News, since few began to go on. */
  #late = 0;

  constructor(options: NewsPaceOptions) {
    this.#options = options;
    this.#borneMs = options.lateMs;
  }

  get current(): number {
    return this.#current;
  }

  /** What became of a pod was known here after that time. */
  learn(newsMs: number): void {
    if (newsMs > this.#borneMs) this.#holdBack();
    else this.#goOn(newsMs);
  }

  #holdBack(): void {
    this.#current = this.#options.least;
    this.#late += 1;
    if (this.#late < patience) return;
    this.#borneMs *= 2;
    this.#late = 0;
  }

  #goOn(newsMs: number): void {
    const { least, lateMs } = this.#options;
    this.#current += 1;
    if (this.#current > enough * least) this.#late = 0;
    if (newsMs <= lateMs) this.#borneMs = Math.max(lateMs, this.#borneMs * (1 - forgetting));
  }
}
