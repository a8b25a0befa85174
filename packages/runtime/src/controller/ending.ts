import { ApiError, DeadlineError, isConflict, TransportError } from '@liqo/kube';
import type { ReconcileFailure } from './controller-observer.ts';
import { type Outcome, TerminalError } from './outcome.ts';

/** How a reconcile ended, as the controller loop sees it. */
export type Ending =
  | Outcome
  /** Somebody else wrote first: normal life, tried again without ado. */
  | { readonly type: 'conflict'; readonly error: unknown }
  | Failed
  /** The controller is stopping; nobody failed. */
  | { readonly type: 'stopped' };

export interface Failed {
  readonly type: 'failed';
  readonly failure: ReconcileFailure;
  readonly error: unknown;
  /** The server asked us to stay away for so long. */
  readonly retryAfterMs: number;
  /** Nobody did what was asked, right or wrong: somebody is away, and will be back. */
  readonly isOutage: boolean;
}

/** What a thrown error means. The causes count too: a layer that adds a sentence does not change what happened. */
export function endingOf(error: unknown): Ending {
  if (error instanceof TerminalError) return failed('terminal', error);
  const causes = causesOf(error);
  if (causes.some(isConflict)) return { type: 'conflict', error };
  const refusal = causes.find((cause) => cause instanceof ApiError);
  return {
    ...failed(isMistake(error) ? 'panic' : 'ordinary', error),
    retryAfterMs: refusal?.retryAfterMs ?? 0,
    isOutage: causes.some(isOutage),
  };
}

export function timedOut(error: unknown): Failed {
  return { ...failed('timeout', error), isOutage: true };
}

function failed(failure: ReconcileFailure, error: unknown): Failed {
  return { type: 'failed', failure, error, retryAfterMs: 0, isOutage: false };
}

function isOutage(error: unknown): boolean {
  if (error instanceof ApiError) return error.code >= 500;
  return error instanceof TransportError || error instanceof DeadlineError;
}

/** Errors that the language itself throws, and things that are no errors at all. */
function isMistake(error: unknown): boolean {
  return (
    !(error instanceof Error) ||
    error instanceof TypeError ||
    error instanceof ReferenceError ||
    error instanceof RangeError
  );
}

/** The error, its cause, the cause of that … A chain that bites its own tail ends there. */
function causesOf(error: unknown): readonly unknown[] {
  const chain = new Set<unknown>();
  for (let next = error; next instanceof Error && !chain.has(next); next = next.cause) {
    chain.add(next);
  }
  return [...chain];
}
