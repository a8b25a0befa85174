import { type Look, NotInTimeError, waitUntil } from '../cluster/wait-until.ts';
import type { Invocation } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { inTime } from './in-time.ts';

export interface Waiting {
  readonly doing: string;
  readonly done: string;
  readonly timeoutMs: number;
  readonly look: (signal: AbortSignal) => Promise<Look<true>>;
}

export type WaitCall = Pick<Invocation<FlagTable>, 'around' | 'progress' | 'signal'>;

/** Why it was not so in time; undefined if it was. */
export async function waitAWhile(
  { around, progress, signal }: WaitCall,
  { doing, done, timeoutMs, look }: Waiting,
): Promise<string | undefined> {
  const { clock } = around;
  let last = 'the API server does not answer';
  const looking = async (stop: AbortSignal) => {
    const seen = await look(stop);
    if ('notYet' in seen) last = seen.notYet;
    return seen;
  };
  const step = { doing, done: (why: string | undefined) => (why === undefined ? done : undefined) };
  return progress.step(step, async (tell) => {
    try {
      const isDone = await inTime({ around, signal }, timeoutMs, (stop) =>
        waitUntil(looking, { clock, timeoutMs, tell, signal: stop }),
      );
      return isDone ? undefined : last;
    } catch (error) {
      if (error instanceof NotInTimeError) return last;
      throw error;
    }
  });
}
