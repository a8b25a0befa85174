import { type Clock, keyOf, keyString, type Timer } from '@liqo/kube';
import type { Change, Collection, Item } from './collection.ts';

interface Lease {
  readonly item: Item;
  readonly endsMs: number;
}

/**
 * Removes each item of a collection a while after it was last written, as the leases of etcd do: nobody is asked, no
 * finalizer holds it, and watchers see it deleted. A write that changes nothing is none, and prolongs nothing.
 */
export class ItemExpiry implements Disposable {
  readonly #collection: Collection;
  readonly #ttlMs: number;
  readonly #clock: Clock;
  readonly #stopFollowing: () => void;
  /** By key, those that end first first: all are equally long, and a new one is put last. */
  readonly #leases = new Map<string, Lease>();
  #timer: Timer | undefined;

  constructor(collection: Collection, ttlMs: number, clock: Clock) {
    this.#collection = collection;
    this.#ttlMs = ttlMs;
    this.#clock = clock;
    this.#stopFollowing = collection.log.subscribe((change) => this.#note(change));
    for (const item of collection.list()) this.#lease(keyString(keyOf(item)), item);
  }

  [Symbol.dispose](): void {
    this.#stopFollowing();
    this.#timer?.cancel();
  }

  #note({ type, key, item }: Change): void {
    this.#leases.delete(key);
    if (type !== 'DELETED') this.#lease(key, item);
  }

  #lease(key: string, item: Item): void {
    this.#leases.set(key, { item, endsMs: this.#clock.monotonicMs() + this.#ttlMs });
    this.#timer ??= this.#clock.after(this.#ttlMs, () => this.#sweep());
  }

  #sweep(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [key, { item, endsMs }] of this.#leases) {
      if (endsMs > nowMs) break;
      this.#collection.remove(key, item);
    }
    const [next] = this.#leases.values();
    this.#timer = next && this.#clock.after(next.endsMs - nowMs, () => this.#sweep());
  }
}
