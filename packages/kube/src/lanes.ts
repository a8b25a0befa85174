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

  /** Takes out whoever is next, of the lanes that may be served; undefined when nobody waits there. */
  shift(mayBeServed: (lane: string) => boolean = () => true): T | undefined {
    for (const [lane, all] of this.#lanes) {
      if (!mayBeServed(lane)) continue;
      for (const next of all) {
        this.#lanes.delete(lane);
        all.delete(next);
        if (all.size > 0) this.#lanes.set(lane, all);
        this.#size -= 1;
        return next;
      }
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
