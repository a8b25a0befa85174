import type { KubeObject, Stored } from '@liqo/kube';
import { keyString } from '@liqo/kube';
import type { Informer } from '@liqo/runtime';

/** A cache that shows what the test says, as its reconciler reads it; nothing can be subscribed to. */
export function listed<T extends KubeObject>(objects: () => readonly Stored<T>[]): Informer<T> {
  const list = (namespace?: string) =>
    objects().filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  const get: Informer<T>['get'] = (key) =>
    objects().find(({ metadata }) => keyString(metadata) === keyString(key));
  return { get, list } as unknown as Informer<T>;
}
