/**
 * Those who wait, in lanes that take turns: a thousand in one lane delay whoever comes in another by one turn per lane, not by
 * a thousand. Within a lane, first come, first served. Whoever waits already does not wait twice.
 */
export class Lanes<T> {
  /** Those that are not empty, the next one to be served first. */
  readonly #lanes = new Map<string, Set<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(lane: string, waiting: T): void {
    const others = this.#lanes.get(lane);
    if (others?.has(waiting)) return;
    if (others) others.add(waiting);
    else this.#lanes.set(lane, new Set([waiting]));
    this.#size += 1;
  }

  /** Takes out whoever is next; undefined when nobody waits. */
  shift(): T | undefined {
    const [next] = this.#lanes.keys();
    return next === undefined ? undefined : this.shiftFrom(next);
  }

  /** Takes out whoever is next in that lane, which comes last among the lanes then. */
  shiftFrom(lane: string): T | undefined {
    const all = this.#lanes.get(lane);
    for (const next of all ?? []) {
      this.#lanes.delete(lane);
      all?.delete(next);
      if (all?.size) this.#lanes.set(lane, all);
      this.#size -= 1;
      return next;
    }
    return undefined;
  }

  delete(lane: string, waiting: T): void {
    const all = this.#lanes.get(lane);
    if (!all?.delete(waiting)) return;
    this.#size -= 1;
    if (all.size === 0) this.#lanes.delete(lane);
  }

  clear(): void {
    this.#lanes.clear();
    this.#size = 0;
  }
}
