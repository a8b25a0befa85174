import { Collection } from './collection.ts';

/** Changes remembered per resource: enough for a watch to resume after a pause, little enough to see 410s in life. */
const defaultHistoryLimit = 4096;

/** Everything a cluster holds. One counter versions all of it, as etcd's revision does. */
export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #historyLimit: number;
  #revision = 1;

  constructor(options: { readonly historyLimit?: number } = {}) {
    this.#historyLimit = options.historyLimit ?? defaultHistoryLimit;
  }

  /** The version of the whole store: that of its latest write. */
  get revision(): number {
    return this.#revision;
  }

  /** The objects of a resource, named `<plural>.<group>`; empty until the first one is written. */
  collection(resource: string): Collection {
    const existing = this.#collections.get(resource);
    if (existing) return existing;
    const created = new Collection(() => ++this.#revision, this.#historyLimit);
    this.#collections.set(resource, created);
    return created;
  }

  /** Forgets the history up to now: versions older than this cannot be watched or listed any more. */
  compact(): void {
    for (const collection of this.#collections.values()) {
      collection.log.compactTo(this.#revision);
    }
  }
}
