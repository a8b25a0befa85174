import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';

/** Any object of the API, as it is on the wire: unknown fields are part of it and survive a read-modify-write. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

/** What the server adds to the metadata of everything it stores. */
interface StoredMeta extends ObjectMeta {
  name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
}

/** An object as the server returned it: it has a name, a UID and a version. */
export type Stored<T extends KubeObject> = T & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMeta;
};

/** Where an object lives. `namespace` is absent for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

export function keyOf(object: Stored<KubeObject>): ObjectKey {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}

/** `namespace/name`, or the bare name of a cluster-scoped object: how logs, queues and caches name it. */
export function keyString(key: ObjectKey): string {
  return key.namespace ? `${key.namespace}/${key.name}` : key.name;
}

/** The inverse of `keyString`: neither a namespace nor a name can contain a slash. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return slash < 0
    ? { name: text }
    : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
