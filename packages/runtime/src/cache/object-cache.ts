import {
  type KubeObject,
  keyString,
  type ObjectKey,
  type Stored,
  type WatchEvent,
} from '@liqo/kube';
import type { CachedReader } from './cached-reader.ts';
import { IndexedStore, type IndexFunctions } from './indexed-store.ts';
import type { HandlerList, ObjectChange } from './object-handlers.ts';

/**
 * What becomes of an object before it is kept: a slimmer one with the same name, namespace, UID and version, or undefined
 * to leave it out. Pure: an object of a version that is kept already is not transformed again.
 */
export type Transform<T extends KubeObject> = (object: Stored<T>) => Stored<T> | undefined;

interface ObjectCacheOptions<T extends KubeObject, I extends string> {
  readonly kind: string;
  readonly transform: Transform<T>;
  readonly indexes: IndexFunctions<T, I>;
  readonly handlers: HandlerList<T>;
}

/** The pages of a list that is not complete yet: none of it shows until `commit`. */
export type StagedList<T extends KubeObject> = Map<string, Stored<T>>;

/** The objects of a collection as told by lists and events, and the handlers who hear of every difference. */
export class ObjectCache<T extends KubeObject, I extends string> implements CachedReader<T, I> {
  readonly #kind: string;
  readonly #transform: Transform<T>;
  readonly #store: IndexedStore<T, I>;
  readonly #handlers: HandlerList<T>;
  #complete = false;

  constructor(options: ObjectCacheOptions<T, I>) {
    this.#kind = options.kind;
    this.#transform = options.transform;
    this.#store = new IndexedStore(options.indexes);
    this.#handlers = options.handlers;
  }

  /** Whether it holds, or once held, everything there was. */
  get isComplete(): boolean {
    return this.#complete;
  }

  get(key: ObjectKey): Stored<T> | undefined {
    return this.#readable().get(keyString(key));
  }

  list(namespace?: string): readonly Stored<T>[] {
    const store = this.#readable();
    return namespace === undefined ? store.list() : store.inNamespace(namespace);
  }

  count(namespace: string): number {
    return this.#readable().count(namespace);
  }

  byIndex(index: I, value: string): readonly Stored<T>[] {
    return this.#readable().byIndex(index, value);
  }

  /** What is there, complete or not: for those who are going to hear of the rest. */
  present(): readonly Stored<T>[] {
    return this.#store.list();
  }

  /** Takes a page of a list. What is unchanged is kept as it is, so that a list never holds everything twice. */
  stage(staged: StagedList<T>, page: readonly Stored<T>[]): void {
    for (const object of page) {
      const key = keyString(object.metadata);
      const known = this.#store.get(key);
      const kept = known && isSameVersion(known, object) ? known : this.#transform(object);
      if (kept) staged.set(key, kept);
    }
  }

  /** The list was complete: makes the cache equal to it, and then tells what is different. */
  commit(staged: StagedList<T>): void {
    const changes: ObjectChange<T>[] = [];
    for (const key of this.#store.keys()) {
      if (!staged.has(key)) this.#remove(key, changes);
    }
    for (const [key, object] of staged) this.#put(key, object, changes);
    const isInitialList = !this.#complete;
    this.#complete = true;
    this.#handlers.tell(changes, isInitialList);
  }

  apply(event: Exclude<WatchEvent<T>, { type: 'BOOKMARK' }>): void {
    const key = keyString(event.object.metadata);
    const known = this.#store.get(key);
    const isGone = event.type === 'DELETED';
    if (!isGone && known && isSameVersion(known, event.object)) return;
    const kept = isGone ? undefined : this.#transform(event.object);
    const changes: ObjectChange<T>[] = [];
    if (kept) this.#put(key, kept, changes);
    else this.#remove(key, changes);
    this.#handlers.tell(changes, false);
  }

  #put(key: string, after: Stored<T>, changes: ObjectChange<T>[]): void {
    const known = this.#store.get(key);
    if (known === after) return;
    const isAnother = known !== undefined && known.metadata.uid !== after.metadata.uid;
    if (isAnother) this.#remove(key, changes);
    this.#store.set(key, after);
    changes.push({ before: isAnother ? undefined : known, after });
  }

  #remove(key: string, changes: ObjectChange<T>[]): void {
    const before = this.#store.get(key);
    if (before === undefined) return;
    this.#store.delete(key);
    changes.push({ before, after: undefined });
  }

  #readable(): IndexedStore<T, I> {
    if (this.#complete) return this.#store;
    throw new Error(`Cannot read ${this.#kind} objects from the cache: it has not synced yet`);
  }
}

function isSameVersion(a: Stored<KubeObject>, b: Stored<KubeObject>): boolean {
  return (
    a.metadata.resourceVersion === b.metadata.resourceVersion && a.metadata.uid === b.metadata.uid
  );
}
