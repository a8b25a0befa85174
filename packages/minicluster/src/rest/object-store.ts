import type { KubeObject } from '@liqo/kube';
import type { Collection, Item } from '../store/collection.ts';
import type { Store } from '../store/store.ts';
import type { Resource } from './resource.ts';

/** The objects of one resource as its clients see them, whatever collection they are kept in. */
export class ObjectStore {
  readonly collection: Collection;
  readonly #resource: Resource;

  constructor(store: Store, resource: Resource) {
    const { group, plural } = resource.viewOf ?? resource;
    this.collection = store.collection(group ? `${plural}.${group}` : plural);
    this.#resource = resource;
  }

  get(key: string): Item | undefined {
    const item = this.collection.get(key);
    return item && this.view(item);
  }

  /** As `Collection.put`; `expected` is what `get` gave. */
  put(key: string, expected: Item | undefined, next: KubeObject): Item | undefined {
    if (!this.#holds(key, expected)) return undefined;
    const written = this.#resource.viewOf?.toStorage(next) ?? next;
    const item = this.collection.put(key, this.collection.get(key), written);
    return item && this.view(item);
  }

  remove(key: string, expected: Item): Item | undefined {
    const current = this.collection.get(key);
    if (!current || !this.#holds(key, expected)) return undefined;
    const item = this.collection.remove(key, current);
    return item && this.view(item);
  }

  view(item: Item): Item {
    return this.#resource.viewOf?.fromStorage(item) ?? item;
  }

  #holds(key: string, expected: Item | undefined): boolean {
    const version = this.collection.get(key)?.metadata.resourceVersion;
    return version === expected?.metadata.resourceVersion;
  }
}
