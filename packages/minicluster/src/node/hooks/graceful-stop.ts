import type { Clock, Timer } from '@liqo/kube';
import type { ContainerProcess } from '../containers/container-process.ts';

export interface GracefulStopOptions {
  readonly clock: Clock;
  readonly process: ContainerProcess;
  /** What is done before the process is asked to end, for as long as the grace lasts. Never rejects. */
  preStop?(signal: AbortSignal): Promise<void>;
}

/** However little time is left, a process that is asked to end gets as long to do so. */
const leastMs = 2_000;

/** The end of a process: the hook, then the request to end, then death when the grace is over. */
export class GracefulStop {
  readonly #options: GracefulStopOptions;
  readonly #hurry = new AbortController();
  #dueMs = Number.POSITIVE_INFINITY;
  #askedMs: number | undefined;
  #timer: Timer | undefined;
  #isBegun = false;
  #isOver = false;

  constructor(options: GracefulStopOptions) {
    this.#options = options;
  }

  /** Begins it, or leaves it less time than it had; more it never gets. Tells whether that changed anything. */
  within(graceMs: number): boolean {
    const dueMs = this.#options.clock.monotonicMs() + graceMs;
    if (dueMs >= this.#dueMs) return false;
    this.#dueMs = dueMs;
    this.#schedule();
    if (!this.#isBegun) void this.#begin(graceMs);
    return true;
  }

  /** Nothing is left to be ended. */
  cancel(): void {
    this.#isOver = true;
    this.#timer?.cancel();
    this.#hurry.abort();
  }

  async #begin(graceMs: number): Promise<void> {
    const { clock, process, preStop } = this.#options;
    this.#isBegun = true;
    if (preStop && graceMs > 0) await Promise.race([preStop(this.#hurry.signal), this.#hurried()]);
    if (this.#isOver) return;
    this.#askedMs = clock.monotonicMs();
    process.terminate();
    this.#schedule();
  }

  #schedule(): void {
    const { clock, process } = this.#options;
    this.#timer?.cancel();
    const askedMs = this.#askedMs;
    const dueMs = askedMs === undefined ? this.#dueMs : Math.max(this.#dueMs, askedMs + leastMs);
    this.#timer = clock.after(dueMs - clock.monotonicMs(), () => {
      if (askedMs === undefined) this.#hurry.abort();
      else process.kill();
    });
  }

  #hurried(): Promise<void> {
    const { signal } = this.#hurry;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
