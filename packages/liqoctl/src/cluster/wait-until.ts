import { type Clock, isTransient, sleep } from '@liqo/kube';

/** What a look at the world says: it is so, or it is not yet and why. Whatever it throws ends the wait. */
export type Look<T> = { readonly done: T } | { readonly notYet: string };

export interface WaitOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Told why it is not yet so, after every look. */
  readonly tell: (why: string) => void;
  readonly signal: AbortSignal;
}

/** It was not so in time. */
export class NotInTimeError extends Error {
  override readonly name = 'NotInTimeError';
}

const lookAgainMs = 250;

/** Looks until it is so. A server that is away for a moment is no reason to give up. */
export async function waitUntil<T>(
  look: (signal: AbortSignal) => Promise<Look<T>>,
  { clock, timeoutMs, tell, signal }: WaitOptions,
): Promise<T> {
  const endsMs = clock.monotonicMs() + timeoutMs;
  for (;;) {
    const seen = await lookOnce(look, signal);
    if ('done' in seen) return seen.done;
    tell(seen.notYet);
    if (clock.monotonicMs() + lookAgainMs > endsMs) throw new NotInTimeError(seen.notYet);
    await sleep(clock, lookAgainMs, signal);
  }
}

async function lookOnce<T>(
  look: (signal: AbortSignal) => Promise<Look<T>>,
  signal: AbortSignal,
): Promise<Look<T>> {
  try {
    return await look(signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!isTransient(error)) throw error;
    return { notYet: error instanceof Error ? error.message : String(error) };
  }
}
