import type { KubeObject, Stored } from '@liqo/kube';
import type { Logger } from '../log/log.ts';

/**
 * What happens to the objects of a cache. For every key: one add, then updates, then one delete, and so on; an object that
 * was deleted and made anew while nobody looked is a delete and an add. The cache already shows everything that a handler
 * is being told, also of the rest of a list.
 *
 * Handlers run in the stream of events and must be quick: they put a key into a queue. One that throws is logged and
 * otherwise ignored.
 */
export interface ObjectHandlers<T extends KubeObject> {
  /** `isInitialList`: it was there when the watching began, or when the handler was attached. */
  readonly onAdd?: (object: Stored<T>, isInitialList: boolean) => void;
  readonly onUpdate?: (before: Stored<T>, after: Stored<T>) => void;
  /** With the object as the cache last had it. */
  readonly onDelete?: (lastKnown: Stored<T>) => void;
}

/** What became of the object of a key: it came (no `before`), changed, or went (no `after`). */
export interface ObjectChange<T extends KubeObject> {
  readonly before: Stored<T> | undefined;
  readonly after: Stored<T> | undefined;
}

interface Subscription<T extends KubeObject> {
  readonly handlers: ObjectHandlers<T>;
  active: boolean;
}

/** The handlers of one cache. */
export class HandlerList<T extends KubeObject> {
  readonly #log: Logger;
  /** Replaced, never changed: news in flight goes to those who were there when it happened. */
  #subscriptions: readonly Subscription<T>[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Tells the new handlers of everything that is there; then they hear of every change until disposed. */
  attach(handlers: ObjectHandlers<T>, present: readonly Stored<T>[]): Disposable {
    const subscription: Subscription<T> = { handlers, active: true };
    this.#subscriptions = [...this.#subscriptions, subscription];
    for (const after of present) this.#tell(subscription, { before: undefined, after }, true);
    return { [Symbol.dispose]: () => this.#detach(subscription) };
  }

  tell(changes: readonly ObjectChange<T>[], isInitialList: boolean): void {
    const subscriptions = this.#subscriptions;
    for (const change of changes) {
      for (const subscription of subscriptions) this.#tell(subscription, change, isInitialList);
    }
  }

  #tell(subscription: Subscription<T>, change: ObjectChange<T>, isInitialList: boolean): void {
    if (!subscription.active) return;
    const { handlers } = subscription;
    const { before, after } = change;
    try {
      if (before && after) handlers.onUpdate?.(before, after);
      else if (after) handlers.onAdd?.(after, isInitialList);
      else if (before) handlers.onDelete?.(before);
    } catch (error) {
      this.#log.error('A handler of a cache failed', { err: error });
    }
  }

  #detach(subscription: Subscription<T>): void {
    subscription.active = false;
    this.#subscriptions = this.#subscriptions.filter((other) => other !== subscription);
  }
}
