import { Collection, type CollectionSnapshot } from './collection.ts';
import { ObjectTexts } from './object-texts.ts';

/** Changes remembered per resource: enough for a watch to resume after a pause, little enough to see 410s in life. */
const defaultHistoryLimit = 4096;

/** What a store held at a revision. The objects are shared by all who begin with it: they are never changed. */
export interface StoreSnapshot {
  readonly revision: number;
  readonly collections: ReadonlyMap<string, CollectionSnapshot['items']>;
}

export interface StoreOptions {
  readonly historyLimit?: number | undefined;
  /** What is in it at the beginning; empty without. */
  readonly from?: StoreSnapshot | undefined;
}

/** Everything a cluster holds. One counter versions all of it, as etcd's revision does. */
export class Store {
  readonly texts = new ObjectTexts();
  readonly #collections = new Map<string, Collection>();
  readonly #historyLimit: number;
  #revision = 1;

  constructor({ historyLimit = defaultHistoryLimit, from }: StoreOptions = {}) {
    this.#historyLimit = historyLimit;
    if (!from) return;
    const { revision, collections } = from;
    this.#revision = revision;
    for (const [name, items] of collections) this.#add(name, { revision, items });
  }

  /** The version of the whole store: that of its latest write. */
  get revision(): number {
    return this.#revision;
  }

  /** The objects of a resource, named `<plural>.<group>`; empty until the first one is written. */
  collection(resource: string): Collection {
    return this.#collections.get(resource) ?? this.#add(resource);
  }

  snapshot(): StoreSnapshot {
    const all = [...this.#collections].map(([name, one]) => [name, one.snapshot()] as const);
    return { revision: this.#revision, collections: new Map(all) };
  }

  /** Forgets the history up to now: versions older than this cannot be watched or listed any more. */
  compact(): void {
    for (const collection of this.#collections.values()) {
      collection.log.compactTo(this.#revision);
    }
  }

  #add(resource: string, from?: CollectionSnapshot): Collection {
    const created = new Collection(() => ++this.#revision, this.#historyLimit, from);
    this.#collections.set(resource, created);
    return created;
  }
}
