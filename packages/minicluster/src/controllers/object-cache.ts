import { type KubeObject, keyOf, keyString, type ObjectKey, type Stored } from '@liqo/kube';

/** Told of every change once: `current` is undefined when the object went, `previous` when it came. */
export type OnChange<T extends KubeObject> = (
  current: Stored<T> | undefined,
  previous: Stored<T> | undefined,
) => void;

/**
 * The objects of one kind as last heard of, from the watch or from the answers to one's own writes: whichever is newer
 * wins, so whoever writes through the cache never acts on a state from before the write. Versions are compared as
 * numbers, which Kubernetes guarantees since 1.35.
 */
export class ObjectCache<T extends KubeObject> {
  readonly #objects = new Map<string, Stored<T>>();
  readonly #namespaces = new Map<string, Map<string, Stored<T>>>();
  /** UIDs of objects that we know are gone while events from their lifetime may still arrive. */
  readonly #gone = new Set<string>();
  /** The version of the latest list or removal: what is not newer has been heard of, and may be gone. */
  #heardUpTo = 0n;
  readonly #listeners: OnChange<T>[] = [];

  get(key: ObjectKey): Stored<T> | undefined {
    return this.#objects.get(keyString(key));
  }

  all(): readonly Stored<T>[] {
    return [...this.#objects.values()];
  }

  inNamespace(namespace: string | undefined): readonly Stored<T>[] {
    return [...(this.#namespaces.get(namespace ?? '')?.values() ?? [])];
  }

  /** Also told of what is there already, at once. */
  onChange(listener: OnChange<T>): void {
    this.#listeners.push(listener);
    for (const object of this.all()) listener(object, undefined);
  }

  /** A write of our own was answered, perhaps after the watch said what became of the object since. */
  learn(object: Stored<T>): void {
    if (versionOf(object) > this.#heardUpTo) this.put(object);
  }

  put(object: Stored<T>): void {
    if (this.#gone.has(object.metadata.uid)) return;
    const previous = this.get(keyOf(object));
    if (previous && !isNewer(object, previous)) return;
    this.#store(object);
    const replaced = previous && previous.metadata.uid !== object.metadata.uid;
    if (replaced) this.#tell(undefined, previous);
    this.#tell(object, replaced ? undefined : previous);
  }

  /** The watch says that the object is gone: nothing of it comes after this. */
  remove(object: Stored<T>): void {
    this.#gone.delete(object.metadata.uid);
    this.#heardUpTo = versionOf(object);
    this.#drop(object);
  }

  /** A delete of our own was answered: the watch will say so, too, after all that it has not said yet. */
  forget(object: Stored<T>): void {
    if (this.#drop(object)) this.#gone.add(object.metadata.uid);
  }

  /** A list of everything, as of a version: what it lacks is gone, unless it is newer than the list. */
  replaceAll(objects: readonly Stored<T>[], resourceVersion: string): void {
    this.#heardUpTo = BigInt(resourceVersion);
    const listed = new Set(objects.map(({ metadata }) => metadata.uid));
    for (const uid of this.#gone) if (!listed.has(uid)) this.#gone.delete(uid);
    for (const object of this.all()) {
      const isKnownSince = versionOf(object) > this.#heardUpTo;
      if (!listed.has(object.metadata.uid) && !isKnownSince) this.#drop(object);
    }
    for (const object of objects) this.put(object);
  }

  #store(object: Stored<T>): void {
    const { namespace = '' } = object.metadata;
    const key = keyString(keyOf(object));
    this.#objects.set(key, object);
    const neighbours = this.#namespaces.get(namespace) ?? new Map<string, Stored<T>>();
    this.#namespaces.set(namespace, neighbours.set(key, object));
  }

  #drop(object: Stored<T>): boolean {
    const known = this.get(keyOf(object));
    if (known?.metadata.uid !== object.metadata.uid) return false;
    const key = keyString(keyOf(object));
    this.#objects.delete(key);
    this.#namespaces.get(object.metadata.namespace ?? '')?.delete(key);
    this.#tell(undefined, known);
    return true;
  }

  #tell(current: Stored<T> | undefined, previous: Stored<T> | undefined): void {
    for (const listener of this.#listeners) listener(current, previous);
  }
}

function isNewer(object: Stored<KubeObject>, known: Stored<KubeObject>): boolean {
  return versionOf(object) > versionOf(known);
}

function versionOf({ metadata }: Stored<KubeObject>): bigint {
  return BigInt(metadata.resourceVersion);
}
