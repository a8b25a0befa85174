import type { Clock } from '@liqo/kube';
import type { ApiCall } from '@liqo/testkit/faults';

/** Well over a hundred are usual when everything begins at once. */
const most = 5_000;

/**
 * Notices when processes drive each other on without ever waiting. In a simulated world that would take no time at all, and so
 * never end: further calls of that instant fail.
 */
export class Frenzy {
  readonly #clock: Clock;
  #instantMs = Number.NaN;
  #calls = 0;
  #found: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What was noticed first. */
  get found(): string | undefined {
    return this.#found;
  }

  note({ who, verb, resource }: ApiCall): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs !== this.#instantMs) this.#calls = 0;
    this.#instantMs = nowMs;
    this.#calls += 1;
    if (this.#calls <= most) return;
    this.#found ??= `more than ${most} calls without a pause, the last one by ${who}: ${verb} ${resource}`;
    throw new Error(`Cannot ${verb} ${resource}: ${this.#found}`);
  }
}
