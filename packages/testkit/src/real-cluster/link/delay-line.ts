import type { Clock } from '@liqo/kube';

/** What is put in at one end comes out of the other, later and in order. */
export class DelayLine<T> {
  readonly #clock: Clock;
  readonly #out: (item: T) => void;
  readonly #waiting: { readonly item: T; readonly dueMs: number }[] = [];
  #delayMs = 0;

  constructor(clock: Clock, out: (item: T) => void) {
    this.#clock = clock;
    this.#out = out;
  }

  /** For what is put in from now on. What is on its way is not overtaken. */
  set delayMs(delayMs: number) {
    this.#delayMs = delayMs;
  }

  push(item: T): void {
    const lastDueMs = this.#waiting.at(-1)?.dueMs ?? 0;
    const dueMs = Math.max(this.#clock.monotonicMs() + this.#delayMs, lastDueMs);
    this.#waiting.push({ item, dueMs });
    if (this.#waiting.length === 1) this.#deliver();
  }

  #deliver(): void {
    for (;;) {
      const next = this.#waiting[0];
      if (!next) return;
      const remainingMs = next.dueMs - this.#clock.monotonicMs();
      if (remainingMs > 0) {
        this.#clock.after(remainingMs, () => this.#deliver());
        return;
      }
      this.#waiting.shift();
      this.#out(next.item);
    }
  }
}
