import type { Clock, Kind, KubeObject, ObjectKey } from '@liqo/kube';
import type { ObjectHandlers } from '../cache/object-handlers.ts';
import type { Logger } from '../log/log.ts';

/** Where the keys of a controller come from. */
export interface Source {
  /** To be synced before the source is started. */
  readonly caches: readonly SyncingCache[];
  /** Feeds every key that matters now, then those that come to matter, until disposed. */
  start(feed: Feed): Disposable;
}

/** Where a source puts what it finds. */
export interface Feed {
  readonly clock: Clock;
  readonly log: Logger;
  /** A key says "look at this", never what happened to it. */
  readonly enqueue: (key: ObjectKey) => void;
}

/** A cache that is not of use before it has seen a complete list. */
export interface SyncingCache {
  readonly kind: Kind;
  readonly hasSynced: boolean;
  synced(signal?: AbortSignal): Promise<void>;
}

/** What sources need of an informer. */
export interface ObservedCache<T extends KubeObject> extends SyncingCache {
  subscribe(handlers: ObjectHandlers<T>): Disposable;
}
