import {
  type Client,
  type Clock,
  type DeleteOptions,
  isExpired,
  isNotFound,
  jitter,
  type Kind,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type Patch,
  type PatchOptions,
  type Random,
  type Stored,
  sleep,
  type WatchEvent,
} from '@liqo/kube';
import type { KindReader } from '../kind-reader.ts';
import { ObjectCache, type OnChange } from './object-cache.ts';

export interface InformerOptions {
  readonly client: Client;
  /** The client unless it says otherwise. */
  readonly reader?: KindReader | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError?: ((error: unknown) => void) | undefined;
}

const retryMs = 1_000;

/**
 * A kind kept in memory by list and watch, and the way to write it: what a write gave back is in the cache before the
 * call returns. So nobody who writes through it makes the same thing twice because the watch was late.
 */
export class Informer<T extends KubeObject> implements AsyncDisposable {
  readonly kind: Kind<T>;
  readonly #options: InformerOptions;
  readonly #cache = new ObjectCache<T>();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #markSynced: () => void = () => undefined;
  readonly synced: Promise<void>;

  constructor(kind: Kind<T>, options: InformerOptions) {
    this.kind = kind;
    this.#options = options;
    this.synced = new Promise((resolve) => {
      this.#markSynced = resolve;
    });
    this.#running = this.#run(this.#stop.signal);
  }

  get(key: ObjectKey): Stored<T> | undefined {
    return this.#cache.get(key);
  }

  all(): readonly Stored<T>[] {
    return this.#cache.all();
  }

  inNamespace(namespace: string | undefined): readonly Stored<T>[] {
    return this.#cache.inNamespace(namespace);
  }

  onChange(listener: OnChange<T>): void {
    this.#cache.onChange(listener);
  }

  async create(object: T): Promise<Stored<T>> {
    return this.#keep(await this.#options.client.create(this.kind, object));
  }

  async update(object: Stored<T>): Promise<Stored<T>> {
    return this.#keep(await this.#options.client.update(this.kind, object));
  }

  async updateStatus(object: Stored<T>): Promise<Stored<T>> {
    return this.#keep(await this.#options.client.updateStatus(this.kind, object));
  }

  async patch(key: ObjectKey, patch: Patch, options: PatchOptions = {}): Promise<Stored<T>> {
    return this.#keep(await this.#options.client.patch(this.kind, key, patch, options));
  }

  /** Deletes this very object, not a successor of the same name. False when it was gone already, which is fine. */
  async delete(object: Stored<T>, options: DeleteOptions = {}): Promise<boolean> {
    const { uid } = object.metadata;
    const preconditions = { uid, ...options.preconditions };
    const { client } = this.#options;
    try {
      const lingering = await client.delete(this.kind, keyOf(object), {
        ...options,
        preconditions,
      });
      if (lingering) this.#cache.learn(lingering);
      else this.#cache.forget(object);
      return true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#cache.forget(object);
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#markSynced();
    await this.#running;
  }

  get #reader(): KindReader {
    return this.#options.reader ?? this.#options.client;
  }

  /** An update that left nothing to wait for removes the object instead: the answer is its last state. */
  #keep(object: Stored<T>): Stored<T> {
    const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
    const isHeld = finalizers?.length || deletionGracePeriodSeconds || hasFinalizersInSpec(object);
    if (deletionTimestamp && !isHeld) this.#cache.forget(object);
    else this.#cache.learn(object);
    return object;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const resourceVersion = await this.#list(signal);
        for await (const event of this.#reader.watch(this.kind, { resourceVersion }, signal)) {
          this.#heed(event);
        }
      } catch (error) {
        if (!signal.aborted) await this.#pauseAfter(error, signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const list = await this.#reader.list(this.kind, signal);
    this.#cache.replaceAll(list.items, list.resourceVersion);
    this.#markSynced();
    return list.resourceVersion;
  }

  #heed(event: WatchEvent<T>): void {
    if (event.type === 'BOOKMARK') return;
    if (event.type === 'DELETED') this.#cache.remove(event.object);
    else this.#cache.put(event.object);
  }

  async #pauseAfter(error: unknown, signal: AbortSignal): Promise<void> {
    if (isExpired(error)) return;
    const { clock, random, onError } = this.#options;
    onError?.(error);
    // A stop in the middle of the pause ends the loop that asked for it.
    await sleep(clock, jitter(random, retryMs, 0.5), signal).catch(() => undefined);
  }
}

/** Namespaces are held by a list of their own. */
function hasFinalizersInSpec(object: KubeObject & NamespaceLike): boolean {
  return (object.spec?.finalizers ?? []).length > 0;
}

interface NamespaceLike {
  readonly spec?: { readonly finalizers?: readonly string[] };
}
