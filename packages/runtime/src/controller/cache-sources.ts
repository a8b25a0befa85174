import {
  type Kind,
  type KubeObject,
  keyOf,
  type ObjectKey,
  parseApiVersion,
  type Stored,
} from '@liqo/kube';
import type { UpdatePredicate } from './predicates.ts';
import type { Feed, ObservedCache, Source } from './source.ts';

/** The objects that the controller is about: their own keys. */
export function primary<T extends KubeObject>(
  cache: ObservedCache<T>,
  worthwhile?: UpdatePredicate<T>,
): Source {
  return mapped(cache, (object) => [keyOf(object)], worthwhile);
}

export interface OwnedOptions<T extends KubeObject> {
  readonly ownerKind: Kind;
  readonly worthwhile?: UpdatePredicate<T>;
}

/** Objects made by the controller: the key of the object that controls them (`ownerReferences` with `controller: true`). */
export function owned<T extends KubeObject>(
  cache: ObservedCache<T>,
  options: OwnedOptions<T>,
): Source {
  return mapped(cache, (object) => ownerKeys(object, options.ownerKind), options.worthwhile);
}

/**
 * Any other objects: the keys that `keysOf` derives from them. On an update it is asked about both, the object as it was
 * and as it is, so that whoever is no longer referred to hears of it too.
 */
export function mapped<T extends KubeObject>(
  cache: ObservedCache<T>,
  keysOf: (object: Stored<T>) => readonly ObjectKey[],
  worthwhile: UpdatePredicate<T> = () => true,
): Source {
  const start = (feed: Feed) => {
    const enqueueAll = (object: Stored<T>) => {
      for (const key of keysOf(object)) feed.enqueue(key);
    };
    return cache.subscribe({
      onAdd: enqueueAll,
      onDelete: enqueueAll,
      onUpdate: (before, after) => {
        const isResync = before === after;
        if (!isResync && !worthwhile(before, after)) return;
        enqueueAll(after);
        if (!isResync) enqueueAll(before);
      },
    });
  };
  return { caches: [cache], start };
}

function ownerKeys(object: Stored<KubeObject>, ownerKind: Kind): readonly ObjectKey[] {
  const { namespace, ownerReferences = [] } = object.metadata;
  const owner = ownerReferences.find((reference) => reference.controller === true);
  if (owner === undefined || owner.kind !== ownerKind.kind) return [];
  if (parseApiVersion(owner.apiVersion).group !== ownerKind.group) return [];
  return [ownerKind.namespaced ? { namespace, name: owner.name } : { name: owner.name }];
}
