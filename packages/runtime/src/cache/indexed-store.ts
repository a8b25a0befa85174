import type { KubeObject, Stored } from '@liqo/kube';
import { StoreIndex } from './store-index.ts';

/** The values under which an object is found. Pure: the same object gives the same values, whenever it is asked. */
type IndexFunction<T extends KubeObject> = (object: Stored<T>) => readonly string[];

export type IndexFunctions<T extends KubeObject, I extends string> = Readonly<
  Record<I, IndexFunction<T>>
>;

/** Objects by key string, by namespace, and by whatever indexes it was given. Holds references: nobody may change them. */
export class IndexedStore<T extends KubeObject, I extends string = never> {
  readonly #objects = new Map<string, Stored<T>>();
  readonly #namespaces = new StoreIndex<Stored<T>>(namespaceOf);
  readonly #indexes = new Map<string, StoreIndex<Stored<T>>>();

  constructor(functions: IndexFunctions<T, I>) {
    for (const [name, valuesOf] of Object.entries<IndexFunction<T>>(functions)) {
      this.#indexes.set(name, new StoreIndex(valuesOf));
    }
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): Stored<T> | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  list(): readonly Stored<T>[] {
    return [...this.#objects.values()];
  }

  inNamespace(namespace: string): readonly Stored<T>[] {
    return this.#found(this.#namespaces.keys(namespace));
  }

  count(namespace: string): number {
    return this.#namespaces.keys(namespace)?.size ?? 0;
  }

  byIndex(name: I, value: string): readonly Stored<T>[] {
    return this.#found(this.#indexes.get(name)?.keys(value));
  }

  set(key: string, object: Stored<T>): void {
    const before = this.#objects.get(key);
    if (before === undefined) this.#namespaces.replace(key, before, object);
    for (const index of this.#indexes.values()) index.replace(key, before, object);
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    this.#namespaces.replace(key, before, undefined);
    for (const index of this.#indexes.values()) index.replace(key, before, undefined);
    this.#objects.delete(key);
  }

  #found(keys: ReadonlySet<string> | undefined): readonly Stored<T>[] {
    const objects: Stored<T>[] = [];
    for (const key of keys ?? []) {
      const object = this.#objects.get(key);
      if (object) objects.push(object);
    }
    return objects;
  }
}

function namespaceOf(object: Stored<KubeObject>): readonly string[] {
  const { namespace } = object.metadata;
  return namespace ? [namespace] : [];
}
