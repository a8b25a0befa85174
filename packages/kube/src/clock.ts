import type { CallSignal } from './call-signal.ts';

/**
 * Time, as a parameter. Nothing in the product reads the wall clock or sets a timer except through one of these, so
 * that a test can own time. `now` is wall time (for timestamps in objects); `monotonicMs` never goes backwards (for
 * durations and deadlines).
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  monotonicMs(): number;
  /** Calls `run` once after `delayMs`; the timer never keeps the process alive by itself. */
  after(delayMs: number, run: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: CallSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** A wait that ended at its deadline. `message` names what was waited for. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** A signal that aborts with a `DeadlineError`, and the way to call it off. */
export function deadline(
  clock: Clock,
  timeoutMs: number,
  message: string,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const timer = clock.after(timeoutMs, () => controller.abort(new DeadlineError(message)));
  return { signal: controller.signal, [Symbol.dispose]: () => timer.cancel() };
}
