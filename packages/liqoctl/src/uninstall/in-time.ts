import { deadline, isTransient, sleep } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';

type Call = Pick<Invocation<FlagTable>, 'around' | 'signal'>;

/** Does work whose calls are given up after `timeoutMs`: then the answer is undefined. */
export async function inTime<T>(
  { around, signal }: Call,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  using limit = deadline(around.clock, timeoutMs, 'It took too long');
  try {
    return { result: await work(AbortSignal.any([signal, limit.signal])) };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted) return undefined;
    throw error;
  }
}

const pauseMs = 250;

/** The same with work that may be repeated: an API server that is away for a moment is no reason to give up. */
export function repeatInTime<T>(
  call: Call,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  return inTime(call, timeoutMs, async (signal) => {
    for (;;) {
      try {
        return await work(signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!isTransient(error)) throw error;
        await sleep(call.around.clock, pauseMs, signal);
      }
    }
  });
}
