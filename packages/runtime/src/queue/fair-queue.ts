import { Fifo } from './fifo.ts';

/**
 * Keys in groups that take turns: a thousand keys of one group delay a key of another by one turn per group, not by a
 * thousand. Within a group, first come, first served.
 */
export class FairQueue {
  readonly #groupOf: (key: string) => string;
  readonly #groups = new Map<string, Fifo<string>>();
  /** The groups that have keys, the next one to be served first. */
  #turns = new Fifo<string>();
  #size = 0;

  constructor(groupOf: (key: string) => string) {
    this.#groupOf = groupOf;
  }

  get size(): number {
    return this.#size;
  }

  push(key: string): void {
    const group = this.#groupOf(key);
    const keys = this.#groups.get(group) ?? this.#openGroup(group);
    keys.push(key);
    this.#size += 1;
  }

  shift(): string | undefined {
    const group = this.#turns.shift();
    const keys = group === undefined ? undefined : this.#groups.get(group);
    if (group === undefined || keys === undefined) return undefined;
    const key = keys.shift();
    this.#size -= 1;
    if (keys.size > 0) this.#turns.push(group);
    else this.#groups.delete(group);
    return key;
  }

  clear(): void {
    this.#groups.clear();
    this.#turns = new Fifo();
    this.#size = 0;
  }

  #openGroup(group: string): Fifo<string> {
    const keys = new Fifo<string>();
    this.#groups.set(group, keys);
    this.#turns.push(group);
    return keys;
  }
}
