import type { KubeObject, Stored } from '@liqo/kube';
import { EventLog } from './event-log.ts';

/** An object at rest. Shared by everybody who reads it: never changed, only replaced. */
export type Item = Stored<KubeObject>;

/** `previous` is what the change replaced: undefined for a creation. A deletion carries the last state as `item`. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly key: string;
  readonly item: Item;
  readonly previous: Item | undefined;
}

/** What a collection held at a revision, by `namespace/name`. Who begins with it has no history. */
export interface CollectionSnapshot {
  readonly revision: number;
  readonly items: ReadonlyMap<string, Item>;
}

/**
 * The objects of one resource by `namespace/name`, and what happened to them lately.
 *
 * Every write is a compare-and-swap against the item the writer read, so that whatever a writer does between its read
 * and its write (admission webhooks may take seconds) a lost update cannot happen.
 */
export class Collection {
  readonly log: EventLog;
  readonly #items: Map<string, Item>;
  readonly #nextRevision: () => number;
  #sortedKeys: string[] | undefined;

  constructor(nextRevision: () => number, historyLimit: number, from?: CollectionSnapshot) {
    this.#nextRevision = nextRevision;
    this.#items = new Map(from?.items);
    this.log = new EventLog(historyLimit, from?.revision);
  }

  get size(): number {
    return this.#items.size;
  }

  get(key: string): Item | undefined {
    return this.#items.get(key);
  }

  /**
   * Stores `next` in place of `expected` (undefined: a creation) and stamps its version on it.
   * Gives undefined, and changes nothing, when the item there is another one.
   */
  put(key: string, expected: Item | undefined, next: KubeObject): Item | undefined {
    const previous = this.#items.get(key);
    if (previous !== expected) return undefined;
    const revision = this.#nextRevision();
    const item = withVersion(next, revision);
    if (!previous) this.#sortedKeys = undefined;
    this.#items.set(key, item);
    this.log.append({ type: previous ? 'MODIFIED' : 'ADDED', revision, key, item, previous });
    return item;
  }

  /** The last state of the removed item, with the version of its removal; undefined when another item is there. */
  remove(key: string, expected: Item): Item | undefined {
    if (this.#items.get(key) !== expected) return undefined;
    const revision = this.#nextRevision();
    const item = withVersion(expected, revision);
    this.#items.delete(key);
    this.#sortedKeys = undefined;
    this.log.append({ type: 'DELETED', revision, key, item, previous: expected });
    return item;
  }

  /** Everything as it is now; later changes are not in it. */
  snapshot(): CollectionSnapshot['items'] {
    return new Map(this.#items);
  }

  /** All items, in the order of their keys. */
  list(): Item[] {
    this.#sortedKeys ??= [...this.#items.keys()].sort(byBytes);
    return this.#sortedKeys.map((key) => this.#items.get(key) as Item);
  }

  /** The items as they were at `revision`: today's with every later change undone. Undefined when the log is too short. */
  listAt(revision: number): Item[] | undefined {
    const later = this.log.remembers(revision) ? this.log.since(revision) : undefined;
    if (later === undefined) return undefined;
    if (later.length === 0) return this.list();
    const items = new Map(this.#items);
    for (const { key, previous } of later.toReversed()) {
      if (previous) items.set(key, previous);
      else items.delete(key);
    }
    return [...items.entries()].sort(([a], [b]) => byBytes(a, b)).map(([, item]) => item);
  }
}

function withVersion(object: KubeObject, revision: number): Item {
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  return { ...object, metadata } as Item;
}

/** As etcd sorts: names are ASCII, so code units are bytes. */
function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
