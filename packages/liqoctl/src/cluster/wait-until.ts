import { type Clock, isTransient, sleep } from '@liqo/kube';

/** What a look at the world says: it is so, or it is not yet and why. Whatever it throws ends the wait. */
export type Look<T> = { readonly done: T } | NotYet;

interface NotYet {
  readonly notYet: string;
  /** A controller has refused it: it may look again in a moment, and after that only a change helps. */
  readonly isRefusal?: boolean;
}

export interface WaitOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Told why it is not yet so, after every look but those of the first moment: a short wait needs no reason. */
  readonly tell: (why: string) => void;
  readonly signal: AbortSignal;
}

/** It was not so in time. */
export class NotInTimeError extends Error {
  override readonly name = 'NotInTimeError';
}

/** It will not be so: a refusal has stood for longer than a controller takes to notice a change. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Soon at first: much of what is waited for is there within a moment. */
const soonestMs = 20;
const latestMs = 250;
const quietMs = 400;
const refusalStandsMs = 5_000;

/** Looks until it is so. A server that is away for a moment is no reason to give up. */
export async function waitUntil<T>(
  look: (signal: AbortSignal) => Promise<Look<T>>,
  { clock, timeoutMs, tell, signal }: WaitOptions,
): Promise<T> {
  const startedMs = clock.monotonicMs();
  let acceptableMs = startedMs;
  for (let lookAgainMs = soonestMs; ; lookAgainMs = Math.min(2 * lookAgainMs, latestMs)) {
    const seen = await lookOnce(look, signal);
    if ('done' in seen) return seen.done;
    if (!seen.isRefusal) acceptableMs = clock.monotonicMs();
    if (clock.monotonicMs() - acceptableMs > refusalStandsMs) throw new RefusedError(seen.notYet);
    const elapsedMs = clock.monotonicMs() - startedMs;
    if (elapsedMs >= quietMs) tell(seen.notYet);
    if (elapsedMs + lookAgainMs > timeoutMs) throw new NotInTimeError(seen.notYet);
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
