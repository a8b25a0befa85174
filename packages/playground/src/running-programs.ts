import type { Clock } from '@liqo/kube';
import type { Program, ProgramContext } from '@liqo/minicluster';
import { settlesWithin } from '@liqo/runtime';

const endMs = 10_000;

/** Programs of containers in this process, which can be ended while their API servers still answer. */
export class RunningPrograms {
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The program, as one that ends with the others. */
  track(program: (container: ProgramContext) => Promise<number>): Program {
    return async (container) => {
      if (this.#ending.signal.aborted) return 0;
      const signal = AbortSignal.any([container.signal, this.#ending.signal]);
      const running = program({ ...container, signal });
      this.#running.add(running);
      try {
        return await running;
      } finally {
        this.#running.delete(running);
      }
    };
  }

  /** For good: what is started again ends at once. */
  async end(): Promise<void> {
    this.#ending.abort();
    await settlesWithin(Promise.allSettled(this.#running), this.#clock, endMs);
  }
}
