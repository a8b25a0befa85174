import type { Logger } from '../log/log.ts';
import type { Runnable } from './runnable.ts';

/** Runnables in progress, by name, and the ear for the first that fails. */
export class RunnableGroup {
  readonly #log: Logger;
  readonly #onFailure: (error: Error) => void;
  readonly #running = new Set<Runnable>();

  constructor(log: Logger, onFailure: (error: Error) => void) {
    this.#log = log;
    this.#onFailure = onFailure;
  }

  /** Which of them have not ended. */
  get running(): readonly string[] {
    return [...this.#running].map(({ name }) => name);
  }

  /** Resolves when all of these have ended, well or not. */
  async run(
    runnables: readonly Runnable[],
    signal: AbortSignal,
    mayWrite: () => boolean = () => true,
  ): Promise<void> {
    await Promise.all(runnables.map((runnable) => this.#run(runnable, signal, mayWrite)));
  }

  async #run(runnable: Runnable, signal: AbortSignal, mayWrite: () => boolean): Promise<void> {
    this.#running.add(runnable);
    try {
      await runnable.start(signal, mayWrite);
    } catch (error) {
      this.#ended(runnable.name, error, signal);
    } finally {
      this.#running.delete(runnable);
    }
  }

  /** To end with what the signal gave as a reason is to end as told. */
  #ended(name: string, error: unknown, signal: AbortSignal): void {
    if (!signal.aborted) {
      const fact = error instanceof Error ? error.message : String(error);
      this.#onFailure(new Error(`Cannot keep "${name}" running: ${fact}`, { cause: error }));
    } else if (error !== signal.reason) {
      this.#log.warn('A part of the process failed while it stopped', {
        runnable: name,
        err: error,
      });
    }
  }
}
