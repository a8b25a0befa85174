import type { Change } from './collection.ts';

/** The latest changes of one collection, oldest first, and who waits for more. */
export class EventLog {
  readonly #limit: number;
  readonly #waiting = new Set<(change: Change) => void>();
  #changes: Change[] = [];
  /** Versions before this one are too old. */
  #compacted = 0;
  /** The revision of the latest change that is not here any more. */
  #lastForgotten = 0;

  /** What happened up to `since` is not in it. */
  constructor(limit: number, since = 0) {
    this.#limit = limit;
    this.#compacted = since;
    this.#lastForgotten = since;
  }

  append(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length > 2 * this.#limit) this.compact(this.#limit);
    for (const wake of [...this.#waiting]) wake(change);
  }

  /** Forgets all but the latest `keep` changes. */
  compact(keep: number): void {
    const forgotten = this.#changes.length - keep;
    if (forgotten <= 0) return;
    this.#lastForgotten = this.#changes[forgotten - 1]?.revision ?? this.#lastForgotten;
    this.#compacted = Math.max(this.#compacted, this.#lastForgotten);
    this.#changes = this.#changes.slice(forgotten);
  }

  /** Forgets everything up to `revision`. */
  compactTo(revision: number): void {
    this.compact(this.#changes.length - this.#firstAfter(revision));
    this.#compacted = Math.max(this.#compacted, revision);
  }

  /** Whether a newcomer may go on from `revision`. */
  remembers(revision: number): boolean {
    return revision >= this.#compacted;
  }

  /**
   * What happened after `revision`, or undefined when some of it is forgotten. Somebody who has read everything so far
   * can go on after a compaction that a newcomer would be refused for.
   */
  since(revision: number): readonly Change[] | undefined {
    if (revision < this.#lastForgotten) return undefined;
    return this.#changes.slice(this.#firstAfter(revision));
  }

  /** Calls `wake` after every change until the returned function is called. */
  subscribe(wake: (change: Change) => void): () => void {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  }

  /** Index of the first change after `revision`: the log is sorted. */
  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
