import { type KubeObject, keyOf, type ObjectKey, type Stored } from '@liqo/kube';
import type { UpdatePredicate } from './predicates.ts';
import type { Feed, ObservedCache, Source } from './source.ts';

/** The objects that the controller is about: their own keys. */
export function primary<T extends KubeObject>(
  cache: ObservedCache<T>,
  worthwhile?: UpdatePredicate<T>,
): Source {
  return mapped(cache, (object) => [keyOf(object)], worthwhile);
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
        if (!worthwhile(before, after)) return;
        enqueueAll(after);
        enqueueAll(before);
      },
    });
  };
  return { caches: [cache], start };
}
