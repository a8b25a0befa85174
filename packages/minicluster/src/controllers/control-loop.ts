import type { Clock, Timer } from '@liqo/kube';

/** Brings one object closer to what it should be. A number asks to be called again after so many milliseconds. */
export type Reconcile = (key: string) => Promise<number | undefined>;

export interface ControlLoopOptions {
  readonly clock: Clock;
  readonly reconcile: Reconcile;
  /** How many keys are worked on at a time. */
  readonly workers?: number;
  readonly onError?: ((error: unknown, key: string) => void) | undefined;
}

const firstRetryMs = 5;
const longestRetryMs = 30_000;

/**
 * Keys to work on: each at most once at a time, once more if it was added meanwhile, and after a growing pause when the
 * work failed. Nothing is worked on before `start`.
 */
export class ControlLoop implements AsyncDisposable {
  readonly #options: ControlLoopOptions;
  readonly #due = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #later = new Map<string, { readonly dueMs: number; readonly timer: Timer }>();
  readonly #failures = new Map<string, number>();
  #state: 'waiting' | 'working' | 'stopped' = 'waiting';

  constructor(options: ControlLoopOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'working';
    this.#work();
  }

  add(key: string): void {
    if (this.#state === 'stopped') return;
    this.#due.add(key);
    this.#work();
  }

  /** The earliest of several wishes counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#state === 'stopped') return;
    const { clock } = this.#options;
    const dueMs = clock.monotonicMs() + delayMs;
    const pending = this.#later.get(key);
    if (pending && pending.dueMs <= dueMs) return;
    pending?.timer.cancel();
    const timer = clock.after(delayMs, () => {
      this.#later.delete(key);
      this.add(key);
    });
    this.#later.set(key, { dueMs, timer });
  }

  /** Resolves when nothing is being worked on any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'stopped';
    this.#due.clear();
    for (const { timer } of this.#later.values()) timer.cancel();
    this.#later.clear();
    await Promise.all(this.#running.values());
  }

  #work(): void {
    if (this.#state !== 'working') return;
    for (const key of this.#due) {
      if (this.#running.size >= (this.#options.workers ?? 5)) return;
      if (this.#running.has(key)) continue;
      this.#due.delete(key);
      this.#running.set(key, this.#process(key));
    }
  }

  async #process(key: string): Promise<void> {
    // Whatever is added in the same turn is one piece of work.
    await Promise.resolve();
    try {
      const againMs = await this.#options.reconcile(key);
      this.#failures.delete(key);
      if (againMs !== undefined) this.addAfter(key, againMs);
    } catch (error) {
      if (this.#state !== 'stopped') this.#retry(key, error);
    }
    this.#running.delete(key);
    this.#work();
  }

  #retry(key: string, error: unknown): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#options.onError?.(error, key);
    this.addAfter(key, Math.min(longestRetryMs, firstRetryMs * 2 ** failures));
  }
}
