import type { Clock } from '@liqo/kube';

export interface RushOptions {
  readonly clock: Clock;
  /** So many within the window are many. */
  readonly many: number;
  readonly windowMs: number;
}

/** Whether very much happens just now, so that what can wait should. */
export class Rush {
  readonly #options: RushOptions;
  /** When the last ones were, the oldest first: no more than it takes to tell. */
  readonly #last: number[] = [];

  constructor(options: RushOptions) {
    this.#options = options;
  }

  /** It has happened once more. */
  note(): void {
    this.#last.push(this.#options.clock.monotonicMs());
    if (this.#last.length > this.#options.many) this.#last.shift();
  }

  get isOn(): boolean {
    const { clock, many, windowMs } = this.#options;
    const [oldest = 0] = this.#last;
    return this.#last.length === many && clock.monotonicMs() - oldest < windowMs;
  }
}

/** One for each consumer. */
export class Rushes {
  readonly #options: RushOptions;
  readonly #all = new Map<string, Rush>();

  constructor(options: RushOptions) {
    this.#options = options;
  }

  of(tenant: string): Rush {
    const known = this.#all.get(tenant) ?? new Rush(this.#options);
    this.#all.set(tenant, known);
    return known;
  }
}
