import type { Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { formatElapsed } from '../output/format-elapsed.ts';
import { UserError } from '../user-error.ts';
import { type Look, NotInTimeError, waitUntil } from './wait-until.ts';

export interface Wait<T> {
  /** While it goes on: `Waiting for the Node "mynode" to be Ready`. */
  readonly doing: string;
  readonly done: string;
  readonly timeoutMs: number;
  readonly look: (signal: AbortSignal) => Promise<Look<T>>;
  /** What to do when it takes too long. */
  readonly hint: string;
}

/** A step that consists of waiting for the cluster. When it takes too long, the error says what was last waited for. */
export async function waitStep<T>(
  { progress, around, signal }: Pick<Invocation<FlagTable>, 'progress' | 'around' | 'signal'>,
  { doing, done, timeoutMs, look, hint }: Wait<T>,
): Promise<T> {
  const { clock } = around;
  const verb = doing.replace(/^Waiting/, 'wait');
  const wait = (tell: (why: string) => void) =>
    waitUntil(look, { clock, timeoutMs, tell, signal }).catch((error: unknown) => {
      if (!(error instanceof NotInTimeError)) throw error;
      const message = `Cannot ${verb} any longer than ${formatElapsed(timeoutMs)}: ${error.message}`;
      throw new UserError(message, { hint, cause: error });
    });
  return progress.step({ doing, done }, (tell) => attempt(verb, wait(tell)));
}
