import { type Clock, DeadlineError } from './clock.ts';

export interface CallDeadline {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Says what is waited for, in the message of the `DeadlineError`. */
  readonly what: () => string;
}

/**
 * Runs `work` with a signal that aborts when the caller's does or when the time is up, whichever comes first.
 * Nothing stays attached to the caller's signal afterwards, however long that one lives.
 */
export async function withDeadline<T>(
  limit: CallDeadline,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = limit.clock.after(limit.timeoutMs, () =>
    controller.abort(
      new DeadlineError(`Cannot ${limit.what()}: no answer within ${limit.timeoutMs / 1000} s`),
    ),
  );
  try {
    return await work(controller.signal);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}
