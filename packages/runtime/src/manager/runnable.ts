import { LeadershipLostError } from '../election/leadership-term.ts';

/** A part of a process that runs for as long as the process does. */
export interface Runnable {
  /** In logs, in `/readyz`, and in the error that names what did not stop. */
  readonly name: string;
  /** Only while this process leads, when there is an election; from the start when there is none. */
  readonly onlyLeader?: boolean;
  /**
   * Runs until the signal aborts, and then ends soon. Ending earlier is fine; failing ends the whole process. When the
   * signal's reason is a `LeadershipLostError` there is no time left to finish things. A part that only a leader runs
   * fences its clients with `mayWrite` (see `fenceClient`); for other parts it is always true.
   */
  start(signal: AbortSignal, mayWrite: () => boolean): Promise<void>;
  /** Undefined when the part can do its work, or does not run here; otherwise what it waits for. Shown by `/readyz`. */
  whyNotReady?(): string | undefined;
}

/** What a `start…` function returns. */
export interface Stoppable extends AsyncDisposable {
  /** Stops with the given time for work under way, instead of the default time of the dispose. */
  stop?(options: StopOptions): Promise<void>;
  /** Undefined once it can do its work; until then what it waits for. */
  whyNotReady?(): string | undefined;
}

export interface StopOptions {
  /** How long work under way may go on by itself before it is aborted. */
  readonly drainMs: number;
}

/** Something that is started and disposed of, as a runnable. */
export function runDisposable(
  name: string,
  start: (signal: AbortSignal, mayWrite: () => boolean) => Stoppable | Promise<Stoppable>,
): Runnable {
  let started: Stoppable | undefined;
  let isStarting = false;
  return {
    name,
    async start(signal, mayWrite) {
      isStarting = true;
      started = await start(signal, mayWrite);
      isStarting = false;
      await untilAborted(signal);
      await stopFor(signal.reason, [started]);
    },
    whyNotReady: () => (isStarting ? 'it is starting' : started?.whyNotReady?.()),
  };
}

/** The same runnable, in one process at a time. */
export function onlyLeader(runnable: Runnable): Runnable {
  return {
    name: runnable.name,
    onlyLeader: true,
    start: (signal, mayWrite) => runnable.start(signal, mayWrite),
    ...(runnable.whyNotReady && { whyNotReady: () => runnable.whyNotReady?.() }),
  };
}

/** Several parts as one: ready when all are, and stopped one after the other in the given order. */
export function inOrder(parts: readonly Stoppable[]): Stoppable {
  return {
    whyNotReady: () => firstReason(parts),
    async stop(options) {
      for (const part of parts) await stopPart(part, options);
    },
    async [Symbol.asyncDispose]() {
      for (const part of parts) await part[Symbol.asyncDispose]();
    },
  };
}

/** Several parts as one: ready when all are, and stopped at the same time. */
export function together(parts: readonly Stoppable[]): Stoppable {
  return {
    whyNotReady: () => firstReason(parts),
    async stop(options) {
      await Promise.all(parts.map((part) => stopPart(part, options)));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));
    },
  };
}

/** Stops parts at the same time, without a drain when the reason is that the lease is lost. */
async function stopFor(reason: unknown, parts: readonly Stoppable[]): Promise<void> {
  const all = together(parts);
  if (reason instanceof LeadershipLostError) await all.stop?.({ drainMs: 0 });
  else await all[Symbol.asyncDispose]();
}

async function stopPart(part: Stoppable, options: StopOptions): Promise<void> {
  await (part.stop ? part.stop(options) : part[Symbol.asyncDispose]());
}

function firstReason(parts: readonly Stoppable[]): string | undefined {
  for (const part of parts) {
    const reason = part.whyNotReady?.();
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
