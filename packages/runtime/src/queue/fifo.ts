/** Entries before this many are gone are not worth moving the rest for. */
const compactFrom = 1024;

/** First in, first out, in constant time however long: an array's own `shift` moves all the rest. */
export class Fifo<T> {
  #entries: T[] = [];
  #head = 0;

  get size(): number {
    return this.#entries.length - this.#head;
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const entry = this.#entries[this.#head];
    this.#head += 1;
    const worthIt = this.#head >= compactFrom && this.#head * 2 >= this.#entries.length;
    if (worthIt || this.size === 0) this.#compact();
    return entry;
  }

  #compact(): void {
    this.#entries = this.#entries.slice(this.#head);
    this.#head = 0;
  }
}
