import { LeadershipLostError } from '../election/leadership-term.ts';

/** A part of a process that runs for as long as the process does. */
export interface Runnable {
  /** For logs, and for the one who asks what does not stop. */
  readonly name: string;
  /** Only while this process leads, when there is an election; from the start when there is none. */
  readonly onlyLeader?: boolean;
  /**
   * Runs until the signal aborts, and then ends soon. Ending earlier is fine; failing ends the whole process. When the
   * signal's reason is a `LeadershipLostError` there is no time left to finish things.
   */
  start(signal: AbortSignal): Promise<void>;
}

/** What a `start…` function returns. One that can stop with or without finishing things first is told which. */
export interface Stoppable extends AsyncDisposable {
  stop?(options: { readonly drainMs: number }): Promise<void>;
}

/** Something that is started and disposed of, as a runnable. */
export function runDisposable(
  name: string,
  start: (signal: AbortSignal) => Stoppable | Promise<Stoppable>,
): Runnable {
  return {
    name,
    async start(signal) {
      const started = await start(signal);
      await untilAborted(signal);
      const mustHurry = signal.reason instanceof LeadershipLostError;
      if (mustHurry && started.stop) await started.stop({ drainMs: 0 });
      else await started[Symbol.asyncDispose]();
    },
  };
}

/** The same runnable, in one process at a time. */
export function onlyLeader(runnable: Runnable): Runnable {
  return { name: runnable.name, onlyLeader: true, start: (signal) => runnable.start(signal) };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
