/** Which keys have which value. */
export class StoreIndex<O> {
  readonly #valuesOf: (object: O) => readonly string[];
  readonly #keysByValue = new Map<string, Set<string>>();

  constructor(valuesOf: (object: O) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  keys(value: string): ReadonlySet<string> | undefined {
    return this.#keysByValue.get(value);
  }

  /** The object of a key changed, came (no `before`) or went (no `after`). */
  replace(key: string, before: O | undefined, after: O | undefined): void {
    const old = before === undefined ? [] : this.#valuesOf(before);
    const now = after === undefined ? [] : this.#valuesOf(after);
    if (areEqual(old, now)) return;
    for (const value of old) this.#remove(value, key);
    for (const value of now) this.#add(value, key);
  }

  #add(value: string, key: string): void {
    const keys = this.#keysByValue.get(value);
    if (keys) keys.add(key);
    else this.#keysByValue.set(value, new Set([key]));
  }

  #remove(value: string, key: string): void {
    const keys = this.#keysByValue.get(value);
    keys?.delete(key);
    if (keys?.size === 0) this.#keysByValue.delete(value);
  }
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, at) => value === b[at]);
}
