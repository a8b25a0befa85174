export interface EventuallyOptions {
  /** By default long enough for a busy machine: to wait is not to measure speed. */
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Tries until the assertion holds, and gives back what it gave. At the deadline it throws the last failure, as the cause of
 * an error that says how long was waited. An attempt that hangs does not outlive the deadline.
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  options: EventuallyOptions = {},
): Promise<T> {
  const { timeoutMs = 30_000, intervalMs = 20, signal } = options;
  const startedMs = performance.now();
  const remainingMs = () => startedMs + timeoutMs - performance.now();
  let last: unknown = new Error('The first attempt did not finish');
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(assertion, remainingMs(), signal);
    if ('value' in outcome) return outcome.value;
    if ('failure' in outcome) last = outcome.failure;
    if (remainingMs() <= intervalMs) {
      throw new Error(waitedInVain(last, performance.now() - startedMs, tries), { cause: last });
    }
    await pause(intervalMs, signal);
  }
}

type Outcome<T> = { readonly value: T } | { readonly failure: unknown } | { readonly late: true };

async function attempt<T>(
  assertion: () => T | Promise<T>,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Outcome<T>> {
  const ended = new AbortController();
  const outcome = Promise.resolve()
    .then(assertion)
    .then(
      (value): Outcome<T> => ({ value }),
      (failure: unknown): Outcome<T> => ({ failure }),
    );
  const late = pause(limitMs, signal, ended.signal).then((): Outcome<T> => ({ late: true }));
  try {
    return await Promise.race([outcome, late]);
  } finally {
    ended.abort();
  }
}

/** Rejects when `signal` aborts; resolves at once when `enough` does. */
function pause(ms: number, signal?: AbortSignal, enough?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(finish, Math.max(0, ms));
    signal?.addEventListener('abort', finish, { once: true });
    enough?.addEventListener('abort', finish, { once: true });
    if (signal?.aborted) finish();
  });
}

function waitedInVain(last: unknown, waitedMs: number, tries: number): string {
  const message = last instanceof Error ? last.message : String(last);
  return `Still failing after ${Math.round(waitedMs)} ms and ${tries} tries: ${message}`;
}
