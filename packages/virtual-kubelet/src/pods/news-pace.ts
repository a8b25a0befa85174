export interface NewsPaceOptions {
  /** Never fewer than this. */
  readonly least: number;
  /** News that take longer mean that the API server here has more to do than it can. */
  readonly lateMs: number;
}

/**
 * How many pods may be under way at a time, as far as the API server here is concerned: all, until it takes long to tell of what
 * was written to it. Then it has more to do than it can, and everybody hears of everything late; few go on, and one more
 * with all that is told in time.
 */
export class NewsPace {
  readonly #options: NewsPaceOptions;
  #current = Number.POSITIVE_INFINITY;

  constructor(options: NewsPaceOptions) {
    this.#options = options;
  }

  get current(): number {
    return this.#current;
  }

  /** What became of a pod was known here after that time. */
  learn(newsMs: number): void {
    const { least, lateMs } = this.#options;
    this.#current = newsMs > lateMs ? least : this.#current + 1;
  }
}
