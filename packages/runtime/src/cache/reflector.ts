import {
  ApiError,
  type Client,
  type Clock,
  isExpired,
  isForbidden,
  isNotFound,
  type Kind,
  type KubeObject,
  type Random,
  type Selection,
  type Stored,
  sleep,
  type WatchEvent,
} from '@liqo/kube';
import type { Logger } from '../log/log.ts';
import type { LogFields } from '../log/log-fields.ts';
import { type BackoffPolicy, backoffMs } from '../queue/backoff.ts';

/** Where a reflector brings what it hears. */
interface ReflectorSink<T extends KubeObject> {
  /** Begins a list, which counts only when it is committed; a list that fails half-way is simply dropped. */
  beginList(): PendingList<T>;
  apply(event: WatchEvent<T>): void;
}

export interface PendingList<T extends KubeObject> {
  add(page: readonly Stored<T>[]): void;
  commit(resourceVersion: string): void;
}

interface ReflectorOptions<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly selection: Selection;
  readonly pageSize: number | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly sink: ReflectorSink<T>;
  readonly onFailure: ((failure: unknown) => void) | undefined;
}

/** An outage may have taken hours: when it is over nobody should have to wait much longer. */
const backoff: BackoffPolicy = { firstMs: 200, longestMs: 5_000 };
/** A right or a kind that is missing appears when an administrator grants or installs it, which may be never. */
const refusedBackoff: BackoffPolicy = { firstMs: 200, longestMs: 30_000 };
/** After this long without trouble, the next trouble is the first. */
const healthyAfterMs = 60_000;

/**
 * Lists a collection, then watches it, and begins again whenever the watch cannot go on, for as long as it takes.
 *
 * The list asks for the newest state (no resourceVersion), so it never goes back in time by itself. The waits between
 * attempts grow; only the first list after the server forgot our version (410) comes at once: that is normal life. They grow
 * to half a minute while the server refuses the collection (403) or does not have it (404), which is logged once.
 */
export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #ended: Promise<void>;
  readonly #stop = new AbortController();
  #failures = 0;
  #hasFailed = false;
  #listedMs: number | undefined;
  /** With 403 or 404, since a watch was last open: it has been logged. */
  #isRefused = false;
  /** When the server last answered; undefined while a watch is open. */
  #silentSinceMs: number | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
    this.#silentSinceMs = options.clock.monotonicMs();
    this.#ended = this.#run();
  }

  /** For how long no watch has been open and no list was answered. */
  get silentForMs(): number {
    if (this.#silentSinceMs === undefined) return 0;
    return this.#options.clock.monotonicMs() - this.#silentSinceMs;
  }

  /** Resolves when nothing is under way any more. */
  stop(): Promise<void> {
    this.#stop.abort();
    return this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#listAndWatch(signal);
      } catch (error) {
        if (!signal.aborted) await this.#pauseAfter(error, signal);
      }
    }
  }

  async #listAndWatch(signal: AbortSignal): Promise<void> {
    const { client, kind, selection, sink } = this.#options;
    const resourceVersion = await this.#list(signal);
    if (signal.aborted) return;
    const onConnection = (isOpen: boolean) => this.#noteAnswer(isOpen);
    const watch = { ...selection, resourceVersion, onConnection };
    for await (const event of client.watch(kind, watch, signal)) {
      if (signal.aborted) return;
      sink.apply(event);
    }
    if (!signal.aborted) throw new Error(`Cannot watch ${kind.plural}: the watch just ended`);
  }

  /** Gives back the version of the list. */
  async #list(signal: AbortSignal): Promise<string> {
    const { client, kind, selection, pageSize, sink, clock } = this.#options;
    const list = sink.beginList();
    const options = { ...selection, ...(pageSize !== undefined && { pageSize }), signal };
    let resourceVersion = '';
    for await (const page of client.pages(kind, options)) {
      this.#noteAnswer(false);
      list.add(page.items);
      resourceVersion = page.resourceVersion;
    }
    signal.throwIfAborted();
    list.commit(resourceVersion);
    this.#listedMs = clock.monotonicMs();
    if (this.#hasFailed) this.#options.onFailure?.(undefined);
    this.#hasFailed = false;
    return resourceVersion;
  }

  #noteAnswer(isWatchOpen: boolean): void {
    this.#silentSinceMs = isWatchOpen ? undefined : this.#options.clock.monotonicMs();
    if (isWatchOpen) this.#isRefused = false;
  }

  /** Ends early when the signal aborts. */
  async #pauseAfter(error: unknown, signal: AbortSignal): Promise<void> {
    const { clock, log, onFailure } = this.#options;
    this.#hasFailed = true;
    onFailure?.(error);
    if (this.#wasHealthy()) this.#failures = 0;
    const waitMs = this.#waitAfter(error);
    this.#failures += 1;
    const fields = { err: error, retryInMs: Math.round(waitMs) };
    if (isExpired(error)) log.debug('The server forgot our version: listing anew', fields);
    else if (isRefusal(error)) this.#logRefusal(fields);
    else log.warn('Cannot list or watch: trying again', fields);
    if (waitMs > 0) await sleep(clock, waitMs, signal).catch(() => undefined);
  }

  #logRefusal(fields: LogFields): void {
    const { log } = this.#options;
    if (this.#isRefused) log.debug('The collection is still refused or missing', fields);
    else log.warn('Cannot list or watch: trying again', fields);
    this.#isRefused = true;
  }

  #wasHealthy(): boolean {
    const listedMs = this.#listedMs;
    this.#listedMs = undefined;
    return listedMs !== undefined && this.#options.clock.monotonicMs() - listedMs >= healthyAfterMs;
  }

  #waitAfter(error: unknown): number {
    const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    if (isExpired(error) && this.#failures === 0) return askedMs;
    const policy = isRefusal(error) ? refusedBackoff : backoff;
    return Math.max(askedMs, backoffMs(policy, this.#failures, this.#options.random));
  }
}

/** The server answers, and an attempt soon after will not be answered otherwise. */
function isRefusal(error: unknown): boolean {
  return isForbidden(error) || isNotFound(error);
}
