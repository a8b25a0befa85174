import { keyString, type ObjectKey } from '@liqo/kube';
import type { Feed, Source, SyncingCache } from './source.ts';

/** Keys from elsewhere in the process. Those given before a controller listens are kept for it. */
export function external(): ExternalSource {
  return new ExternalSource();
}

export class ExternalSource implements Source {
  readonly caches: readonly SyncingCache[] = [];
  readonly #early = new Map<string, ObjectKey>();
  readonly #feeds = new Set<Feed>();

  enqueue(key: ObjectKey): void {
    if (this.#feeds.size === 0) this.#early.set(keyString(key), key);
    for (const feed of this.#feeds) feed.enqueue(key);
  }

  start(feed: Feed): Disposable {
    this.#feeds.add(feed);
    for (const key of this.#early.values()) feed.enqueue(key);
    this.#early.clear();
    return { [Symbol.dispose]: () => void this.#feeds.delete(feed) };
  }
}
