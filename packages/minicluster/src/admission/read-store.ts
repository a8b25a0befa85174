import { type Kind, type KubeObject, keyString, type ObjectKey, type Stored } from '@liqo/kube';
import { qualified } from '../rest/refusal.ts';
import type { Store } from '../store/store.ts';

/** What the server holds of a kind, for plugins that run inside of it. */
export function readOne<T extends KubeObject>(
  store: Store,
  kind: Kind<T>,
  key: ObjectKey,
): Stored<T> | undefined {
  return store.collection(qualified(kind)).get(keyString(key)) as Stored<T> | undefined;
}

/** All of them, or those of one namespace, in the order of their keys. */
export function readAll<T extends KubeObject>(
  store: Store,
  kind: Kind<T>,
  namespace?: string,
): readonly Stored<T>[] {
  const items = store.collection(qualified(kind)).list() as unknown as readonly Stored<T>[];
  if (namespace === undefined) return items;
  return items.filter(({ metadata }) => metadata.namespace === namespace);
}
