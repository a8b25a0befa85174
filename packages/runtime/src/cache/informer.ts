import type {
  Client,
  Clock,
  Kind,
  KubeObject,
  ObjectKey,
  Random,
  Selection,
  Stored,
  WatchEvent,
} from '@liqo/kube';
import type { Logger } from '../log/log.ts';
import { settlesWithin } from '../settles-within.ts';
import type { CachedReader } from './cached-reader.ts';
import { compareResourceVersions } from './compare-resource-versions.ts';
import { dropManagedFields } from './drop-managed-fields.ts';
import type { IndexFunctions } from './indexed-store.ts';
import { ObjectCache, type StagedList, type Transform } from './object-cache.ts';
import { HandlerList, type ObjectHandlers } from './object-handlers.ts';
import { type PendingList, Reflector } from './reflector.ts';
import { WaitList } from './wait-list.ts';

export interface InformerOptions<T extends KubeObject, I extends string = never> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Everything of the kind when absent. */
  readonly selection?: Selection;
  /** Drops `managedFields` when absent. */
  readonly transform?: Transform<T>;
  readonly indexes?: IndexFunctions<T, I>;
  readonly pageSize?: number;
  /** Told of every list or watch that failed; `undefined` when a list has been answered after that. */
  readonly onFailure?: (failure: unknown) => void;
}

/** How long a stop waits for a connection that does not want to end. */
const stopTimeoutMs = 5_000;

/** Begins to list and watch at once, and does not give up until disposed. */
export function startInformer<T extends KubeObject, I extends string = never>(
  options: InformerOptions<T, I>,
): Informer<T, I> {
  return new Informer(options);
}

/**
 * A live copy of a collection, and news of every change to it.
 *
 * Guarantees: the cache is always a state that the server had, never half of a list; it stays readable, a little older,
 * while the server is away; whatever happened meanwhile is told as adds, updates and deletes when it is back; nothing is
 * told after the dispose.
 * Assumes: handlers and indexes are quick and the transform and the indexes do not throw. See `CachedReader` for what may
 * be concluded from what is read here.
 */
export class Informer<T extends KubeObject, I extends string = never>
  implements CachedReader<T, I>, AsyncDisposable
{
  readonly kind: Kind<T>;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #handlers: HandlerList<T>;
  readonly #cache: ObjectCache<T, I>;
  readonly #reflector: Reflector<T>;
  readonly #waiting = new WaitList();
  #resourceVersion = '';
  #stopped = false;

  constructor(options: InformerOptions<T, I>) {
    const { client, kind, clock, random, transform = dropManagedFields, selection = {} } = options;
    this.kind = kind;
    this.#clock = clock;
    this.#log = options.log.with({ kind: kind.kind });
    this.#handlers = new HandlerList(this.#log);
    const indexes = options.indexes ?? ({} as IndexFunctions<T, I>);
    const handlers = this.#handlers;
    this.#cache = new ObjectCache({ kind: kind.kind, transform, indexes, handlers });
    this.#reflector = new Reflector({
      client,
      kind,
      selection,
      pageSize: options.pageSize,
      clock,
      random,
      log: this.#log,
      sink: { beginList: () => this.#beginList(), apply: (event) => this.#apply(event) },
      onFailure: options.onFailure,
    });
  }

  get(key: ObjectKey): Stored<T> | undefined {
    return this.#cache.get(key);
  }

  list(namespace?: string): readonly Stored<T>[] {
    return this.#cache.list(namespace);
  }

  count(namespace: string): number {
    return this.#cache.count(namespace);
  }

  byIndex(index: I, value: string): readonly Stored<T>[] {
    return this.#cache.byIndex(index, value);
  }

  /** Whether the cache can be read: it has seen one complete list. */
  get hasSynced(): boolean {
    return this.#cache.isComplete;
  }

  synced(signal?: AbortSignal): Promise<void> {
    return this.waitFor(() => this.hasSynced, signal);
  }

  /** The newest version of the collection that the cache has caught up with; empty before the first list. */
  get resourceVersion(): string {
    return this.#resourceVersion;
  }

  /** Tells the handlers of everything that is there, as an initial list, and then of every change until disposed. */
  subscribe(handlers: ObjectHandlers<T>): Disposable {
    return this.#handlers.attach(handlers, this.#cache.present());
  }

  /**
   * Whether the cache has caught up with a write of ours: it shows what was written, or something newer. The object is
   * what the server answered to the write.
   */
  hasSeen(written: Stored<T>): boolean {
    if (!this.hasSynced) return false;
    const { resourceVersion } = written.metadata;
    const order = compareResourceVersions(this.#resourceVersion, resourceVersion);
    if (order !== undefined) return order >= 0;
    return this.#cache.get(written.metadata)?.metadata.resourceVersion === resourceVersion;
  }

  /** Resolves when the cache has caught up with a write of ours. Give it a signal with a deadline. */
  seen(written: Stored<T>, signal: AbortSignal): Promise<void> {
    return this.waitFor(() => this.hasSeen(written), signal);
  }

  /** Resolves when the condition holds; it is looked at after everything that is heard from the server. */
  waitFor(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    if (this.#stopped) return Promise.reject(this.#stoppedError());
    return this.#waiting.until(condition, signal);
  }

  /** For how long the server has neither answered a list nor held a watch open: how old the cache may be. */
  get silentForMs(): number {
    return this.#reflector.silentForMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    this.#waiting.rejectAll(this.#stoppedError());
    if (await settlesWithin(this.#reflector.stop(), this.#clock, stopTimeoutMs)) return;
    this.#log.warn('A watch did not end when it was told to', { waitedMs: stopTimeoutMs });
  }

  #beginList(): PendingList<T> {
    const staged: StagedList<T> = new Map();
    return {
      add: (page) => this.#cache.stage(staged, page),
      commit: (resourceVersion) => {
        this.#warnIfBackInTime(resourceVersion);
        this.#cache.commit(staged);
        this.#resourceVersion = resourceVersion;
        this.#waiting.check();
      },
    };
  }

  #apply(event: WatchEvent<T>): void {
    if (event.type === 'BOOKMARK') {
      this.#resourceVersion = event.resourceVersion;
    } else {
      this.#cache.apply(event);
      this.#resourceVersion = event.object.metadata.resourceVersion;
    }
    this.#waiting.check();
  }

  #warnIfBackInTime(resourceVersion: string): void {
    const order = compareResourceVersions(resourceVersion, this.#resourceVersion);
    if (order === undefined || order >= 0) return;
    this.#log.warn('The server went back in time: was a backup restored?', {
      from: this.#resourceVersion,
      to: resourceVersion,
    });
  }

  #stoppedError(): Error {
    return new Error(`Cannot wait for ${this.kind.plural}: their cache was stopped`);
  }
}
