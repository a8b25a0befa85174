/**
 * How a reconcile ends: exactly three ways.
 *
 * - It returns `done`: the world is as wanted. It runs again when something it depends on changes.
 * - It returns `requeueAfter(ms, reason)`: not an error, just not yet. It runs again then, or earlier on a change.
 * - It throws. A `TerminalError` says that only a person can help: no retry until something changes. Whatever else is
 *   thrown is retried with growing waits.
 */
export type Outcome = Done | RequeueAfter;

export interface Done {
  readonly type: 'done';
}

export interface RequeueAfter {
  readonly type: 'requeueAfter';
  readonly delayMs: number;
  /** What is waited for: `waiting for the provider to accept`. */
  readonly reason: string;
}

export const done: Done = { type: 'done' };

export function requeueAfter(delayMs: number, reason: string): RequeueAfter {
  if (!Number.isFinite(delayMs) || delayMs < 0) {
    throw new RangeError(`Cannot requeue after ${delayMs} ms: not a length of time`);
  }
  return { type: 'requeueAfter', delayMs, reason };
}

export interface TerminalErrorOptions {
  /** One word, the same in the condition, the event and the metric: `NameTaken`. */
  readonly reason: string;
  readonly cause?: unknown;
}

/** Trying again is pointless until a person changes something. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
  readonly reason: string;

  constructor(message: string, options: TerminalErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.reason = options.reason;
  }
}
