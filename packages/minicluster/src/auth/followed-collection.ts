import type { Change, Collection, Item } from '../store/collection.ts';
import type { Store } from '../store/store.ts';

/** What is computed from the items of a collection. */
interface Derived {
  clear(): void;
  add(item: Item): void;
  remove(item: Item): void;
}

/**
 * Keeps something derived from a collection in step with it. Nothing runs when the collection changes: whoever is about
 * to read calls `refresh`, which costs nothing as long as nothing was written, and otherwise as much as was.
 */
export class FollowedCollection {
  readonly #store: Store;
  readonly #collection: Collection;
  readonly #derived: Derived;
  #revision = 0;

  constructor(store: Store, resource: string, derived: Derived) {
    this.#store = store;
    this.#collection = store.collection(resource);
    this.#derived = derived;
  }

  refresh(): void {
    const { revision } = this.#store;
    if (revision === this.#revision) return;
    const changes = this.#collection.log.since(this.#revision);
    if (changes) this.#apply(changes);
    else this.#startOver();
    this.#revision = revision;
  }

  #apply(changes: readonly Change[]): void {
    for (const { type, item, previous } of changes) {
      if (previous) this.#derived.remove(previous);
      if (type !== 'DELETED') this.#derived.add(item);
    }
  }

  /** For when the changes since the last look are forgotten. */
  #startOver(): void {
    this.#derived.clear();
    for (const item of this.#collection.list()) this.#derived.add(item);
  }
}
