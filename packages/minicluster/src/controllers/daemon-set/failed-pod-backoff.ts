import { RecentMap } from '../recent-map.ts';

const firstMs = 1_000;
const longestMs = 15 * 60_000;
const memory = 4096;

interface Wait {
  readonly sinceMs: number;
  readonly delayMs: number;
}

/**
 * How soon failed pods are replaced: the first of a place at once, the next ones after a second and then twice as long
 * each time, so that a node that refuses pods is not flooded with them. What is long ago is forgiven.
 */
export class FailedPodBackoff {
  readonly #waits = new RecentMap<Wait>(memory);

  /** How long a pod that failed there has to stay. */
  leftMs(place: string, nowMs: number): number {
    const wait = this.#recent(place, nowMs);
    return wait ? Math.max(0, wait.sinceMs + wait.delayMs - nowMs) : 0;
  }

  /** A pod that failed there is being replaced. */
  note(place: string, nowMs: number): void {
    const before = this.#recent(place, nowMs);
    const delayMs = before ? Math.min(longestMs, before.delayMs * 2) : firstMs;
    this.#waits.set(place, { sinceMs: nowMs, delayMs });
  }

  #recent(place: string, nowMs: number): Wait | undefined {
    const wait = this.#waits.get(place);
    return wait && nowMs - wait.sinceMs <= 2 * longestMs ? wait : undefined;
  }
}
