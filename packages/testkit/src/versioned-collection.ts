import {
  apiVersionOf,
  type Kind,
  type KubeObject,
  keyString,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';

export interface Change<T extends KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly object: Stored<T>;
  readonly before: Stored<T> | undefined;
}

/** The objects of a kind with their versions, and what happened to them since the last compaction. */
export class VersionedCollection<T extends KubeObject> {
  readonly #kind: Kind<T>;
  readonly #objects = new Map<string, Stored<T>>();
  #changes: Change<T>[] = [];
  #version = 1;
  #compactedVersion = 1;
  #created = 0;

  constructor(kind: Kind<T>) {
    this.#kind = kind;
  }

  get version(): number {
    return this.#version;
  }

  get(key: ObjectKey): Stored<T> | undefined {
    return this.#objects.get(keyString(key));
  }

  /** Creates the object, or makes it this and keeps its UID. */
  put(object: T): Change<T> {
    const { name = '', namespace } = object.metadata ?? {};
    const before = this.get({ namespace, name });
    const uid = before?.metadata.uid ?? `uid-${++this.#created}`;
    const stored = {
      apiVersion: apiVersionOf(this.#kind),
      kind: this.#kind.kind,
      ...object,
      metadata: { creationTimestamp: '2030-01-01T00:00:00Z', ...object.metadata, name, uid },
    } as Stored<T>;
    return this.#record(before ? 'MODIFIED' : 'ADDED', stored, before);
  }

  /** Undefined when there is no such object. */
  remove(key: ObjectKey): Change<T> | undefined {
    const before = this.get(key);
    return before && this.#record('DELETED', before, before);
  }

  /** Forgets the past. */
  compact(): void {
    this.#changes = [];
    this.#compactedVersion = this.#version;
  }

  /** Takes everything back to an earlier state with an earlier version, as restoring a backup does. */
  restore(version: number, objects: readonly Stored<T>[]): void {
    this.#objects.clear();
    for (const object of objects) this.#objects.set(keyString(object.metadata), object);
    this.#version = version;
    this.compact();
  }

  /** The objects as they were at a version, sorted by key; undefined when that is forgotten. */
  at(version: number): readonly Stored<T>[] | undefined {
    const later = this.since(version);
    if (later === undefined) return undefined;
    const objects = new Map(this.#objects);
    for (const { before, object } of later.toReversed()) {
      if (before) objects.set(keyString(before.metadata), before);
      else objects.delete(keyString(object.metadata));
    }
    return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** What happened after a version; undefined when that is forgotten. */
  since(version: number): readonly Change<T>[] | undefined {
    if (version < this.#compactedVersion) return undefined;
    return this.#changes.filter((change) => change.version > version);
  }

  #record(type: Change<T>['type'], object: Stored<T>, before: Stored<T> | undefined): Change<T> {
    this.#version += 1;
    const metadata = { ...object.metadata, resourceVersion: String(this.#version) };
    const change = { type, version: this.#version, object: { ...object, metadata }, before };
    const key = keyString(metadata);
    if (type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, change.object);
    this.#changes.push(change);
    return change;
  }
}
