const firstMs = 10_000;
const longestMs = 5 * 60_000;

/** How long a container that ended waits for its next start: not at all at first, then 10 s, doubling to 5 min. */
export class CrashBackoff {
  #nextMs = 0;

  /**
   * The whole wait after a run, of which `sinceMs` has passed. One that lasted twice the longest wait makes all good
   * again.
   */
  next(ranMs: number, sinceMs = 0): { readonly wholeMs: number; readonly leftMs: number } {
    if (ranMs > 2 * longestMs) this.#nextMs = 0;
    const wholeMs = this.#nextMs;
    this.#nextMs = wholeMs === 0 ? firstMs : Math.min(2 * wholeMs, longestMs);
    return { wholeMs, leftMs: Math.max(0, wholeMs - sinceMs) };
  }
}

/** The same for pulls that fail, which wait from the first one on. */
export class PullBackoff {
  #nextMs = firstMs;

  next(): number {
    const delayMs = this.#nextMs;
    this.#nextMs = Math.min(2 * delayMs, longestMs);
    return delayMs;
  }
}

/** `10s`, `1m20s`, `5m0s`: as Go prints it. */
export function formatBackoff(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
