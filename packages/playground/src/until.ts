import { type Clock, DeadlineError, sleep } from '@liqo/kube';

const lookAgainMs = 20;
/** A slow machine is slow, not broken. */
const patienceMs = 300_000;

/** Looks until there is nothing left to wait for: `look` says what is missing, and nothing when all is there. */
export async function until(
  clock: Clock,
  look: () => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<void> {
  const startedMs = clock.monotonicMs();
  for (;;) {
    const missing = await look();
    signal?.throwIfAborted();
    if (missing === undefined) return;
    if (clock.monotonicMs() - startedMs > patienceMs) {
      throw new DeadlineError(`Waited ${patienceMs / 60_000} minutes, and still ${missing}`);
    }
    await sleep(clock, lookAgainMs, signal);
  }
}
