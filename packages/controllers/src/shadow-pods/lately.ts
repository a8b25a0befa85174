import type { Clock } from '@liqo/kube';

/** What has been noted within the last `withinMs`; it is forgotten after that. */
export class Lately {
  readonly #clock: Clock;
  readonly #withinMs: number;
  /** When each was noted, the oldest first. */
  readonly #noted = new Map<string, number>();

  constructor(clock: Clock, withinMs: number) {
    this.#clock = clock;
    this.#withinMs = withinMs;
  }

  note(what: string): void {
    this.#forget();
    this.#noted.delete(what);
    this.#noted.set(what, this.#clock.monotonicMs());
  }

  has(what: string): boolean {
    this.#forget();
    return this.#noted.has(what);
  }

  #forget(): void {
    const sinceMs = this.#clock.monotonicMs() - this.#withinMs;
    for (const [what, atMs] of this.#noted) {
      if (atMs >= sinceMs) return;
      this.#noted.delete(what);
    }
  }
}
