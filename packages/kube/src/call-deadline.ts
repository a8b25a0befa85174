import { CallEnd, type CallSignal } from './call-signal.ts';
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
  work: (signal: CallSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const end = new CallEnd();
  const onAbort = () => end.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = limit.clock.after(limit.timeoutMs, () =>
    end.abort(
      new DeadlineError(`Cannot ${limit.what()}: no answer within ${limit.timeoutMs / 1000} s`),
    ),
  );
  try {
    return await work(end);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}
