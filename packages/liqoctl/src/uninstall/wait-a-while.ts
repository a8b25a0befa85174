import { type Look, NotInTimeError, waitUntil } from '../cluster/wait-until.ts';
import type { Invocation } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';

export interface Waiting {
  readonly doing: string;
  readonly done: string;
  readonly timeoutMs: number;
  readonly look: (signal: AbortSignal) => Promise<Look<true>>;
}

export type WaitCall = Pick<Invocation<FlagTable>, 'around' | 'progress' | 'signal'>;

/** Whether it was so in time. */
export async function waitAWhile(
  { around, progress, signal }: WaitCall,
  { doing, done, timeoutMs, look }: Waiting,
): Promise<boolean> {
  const { clock } = around;
  const step = { doing, done: (isDone: boolean) => (isDone ? done : undefined) };
  return progress.step(step, async (tell) => {
    try {
      return await waitUntil(look, { clock, timeoutMs, tell, signal });
    } catch (error) {
      if (error instanceof NotInTimeError) return false;
      throw error;
    }
  });
}
