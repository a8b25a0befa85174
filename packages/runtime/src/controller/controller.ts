import { type Clock, keyString, type ObjectKey, parseKey, type Random } from '@liqo/kube';
import type { Logger } from '../log/log.ts';
import type { BackoffPolicy } from '../queue/backoff.ts';
import { WorkQueue } from '../queue/work-queue.ts';
import { settlesWithin } from '../settles-within.ts';
import type { ControllerMetrics, ControllerObserver } from './controller-observer.ts';
import { type OnTerminalError, type Reconcile, ReconcileRun } from './reconcile-run.ts';
import { settleKey } from './settle-key.ts';
import type { Source, SyncingCache } from './source.ts';
import { syncCaches, unsyncedKinds } from './sync-caches.ts';

export interface ControllerOptions {
  /** In logs and metrics, unique in the process. */
  readonly name: string;
  /**
   * Brings the world closer to what the object of this key wants. Level-triggered: it looks at everything that matters
   * and is never told what changed, so it is safe to run twice, late, or for a key whose object does not exist.
   */
  readonly reconcile: Reconcile;
  readonly sources: readonly Source[];
  /** Further caches that the reconcile reads. */
  readonly caches?: readonly SyncingCache[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics?: ControllerMetrics;
  /** How many keys are reconciled at the same time; never one key twice. */
  readonly concurrency?: number;
  /**
   * Whose work a key is, a tenant for example. Flows take turns, so that a burst of one does not delay the others. All keys
   * are one flow when absent.
   */
  readonly flowOf?: (key: ObjectKey) => string;
  /** How many keys of one flow are reconciled at the same time: fewer than `concurrency` leaves workers for other flows. */
  readonly concurrencyPerFlow?: number;
  /** Lanes of keys that take turns within a flow. The namespace when absent. */
  readonly fairnessOf?: (key: ObjectKey) => string;
  /** For the retries of what threw. */
  readonly backoff?: BackoffPolicy;
  /** How long a reconcile may take before its signal aborts. */
  readonly reconcileTimeoutMs?: number;
  /** After how long, and how often, caches that do not sync are complained about. */
  readonly syncTimeoutMs?: number;
  /**
   * Where a `TerminalError` becomes a condition and an event. It belongs to the reconcile: within its time, and what it
   * throws makes the key come back.
   */
  readonly onTerminalError?: OnTerminalError;
}

const defaults = { concurrency: 1, reconcileTimeoutMs: 120_000, syncTimeoutMs: 120_000 };

/** How long a stop lets reconciles go on by themselves, and how long it waits for those it had to abort. */
const defaultDrainMs = 5_000;
const longestAbortMs = 5_000;

/** Begins as soon as the caches have synced; retries, measures and logs; ends when disposed. */
export function startController(options: ControllerOptions): Controller {
  return new Controller(options);
}

/**
 * Keys from sources, through a queue, into reconciles: never one key twice at a time, never before the caches are
 * complete. It keeps nothing that a restart would lose: a new one starts from the objects themselves.
 */
export class Controller implements AsyncDisposable {
  readonly name: string;
  readonly #options: ControllerOptions & typeof defaults;
  readonly #log: Logger;
  readonly #observer: ControllerObserver | undefined;
  readonly #queue: WorkQueue;
  readonly #caches: readonly SyncingCache[];
  readonly #runs = new Set<ReconcileRun>();
  readonly #stop = new AbortController();
  readonly #started: Disposable[] = [];
  #reconciles = 0;
  #active = 0;

  constructor(options: ControllerOptions) {
    this.name = options.name;
    this.#options = { ...defaults, ...options };
    this.#log = options.log.with({ controller: options.name });
    this.#observer = options.metrics?.controller(options.name);
    this.#queue = newQueue(options, this.#observer);
    const ofSources = options.sources.flatMap((source) => source.caches);
    this.#caches = [...new Set([...ofSources, ...(options.caches ?? [])])];
    void this.#run();
  }

  /** Undefined once it reconciles; until then what it waits for. A health check. */
  whyNotReady(): string | undefined {
    const kinds = unsyncedKinds(this.#caches);
    return kinds.length === 0 ? undefined : `waiting for the caches of ${kinds.join(', ')}`;
  }

  /** Lets running reconciles finish by themselves, for a while, then aborts them. Ends soon whatever they do. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop({ drainMs: defaultDrainMs });
  }

  /** With no time to drain, running reconciles are aborted at once: for when the right to write is lost. */
  async stop(options: { readonly drainMs: number }): Promise<void> {
    const { clock } = this.#options;
    this.#stop.abort(new Error(`The controller "${this.name}" is stopping`));
    for (const source of this.#started.splice(0)) source[Symbol.dispose]();
    this.#queue.close();
    for (const run of this.#runs) run.doNotHold();
    const drained = this.#queue.drained();
    if (options.drainMs > 0 && (await settlesWithin(drained, clock, options.drainMs))) return;
    for (const run of this.#runs) run.abort();
    if (await settlesWithin(drained, clock, longestAbortMs)) return;
    this.#log.warn('Reconciles did not end when they were told to', {
      objects: this.#queue.running,
    });
  }

  async #run(): Promise<void> {
    const { clock, concurrency, sources, syncTimeoutMs: complainEveryMs } = this.#options;
    const log = this.#log;
    try {
      await syncCaches(this.#caches, { clock, log, complainEveryMs }, this.#stop.signal);
    } catch (error) {
      if (!this.#stop.signal.aborted) log.error('Cannot start the controller', { err: error });
      return;
    }
    if (this.#stop.signal.aborted) return;
    this.#observer?.started(concurrency, () => this.#queue.unfinishedWork());
    const enqueue = (key: ObjectKey) => this.#queue.add(keyString(key));
    for (const source of sources) this.#started.push(source.start({ clock, log, enqueue }));
    await Promise.all(Array.from({ length: concurrency }, () => this.#work()));
  }

  async #work(): Promise<void> {
    for (let key = await this.#queue.take(); key !== undefined; key = await this.#queue.take()) {
      this.#observer?.activeWorkersChanged(++this.#active);
      await this.#reconcile(key);
      this.#observer?.activeWorkersChanged(--this.#active);
    }
  }

  /** Returns when the ending is known; the key may be busy a little longer. */
  async #reconcile(key: string): Promise<void> {
    const { clock, reconcile, onTerminalError, reconcileTimeoutMs: timeoutMs } = this.#options;
    const startedMs = clock.monotonicMs();
    this.#reconciles += 1;
    const log = this.#log.with({ object: key, reconcile: this.#reconciles });
    const run = new ReconcileRun(parseKey(key), {
      clock,
      log,
      reconcile,
      onTerminalError,
      timeoutMs,
    });
    this.#runs.add(run);
    const ending = await run.ending;
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    const [queue, observer] = [this.#queue, this.#observer];
    settleKey({ key, ending, durationMs, queue, log, observer });
    queue.release(key);
    void run.released.then(() => {
      this.#runs.delete(run);
      queue.done(key);
    });
  }
}

function newQueue(options: ControllerOptions, observer: ControllerObserver | undefined): WorkQueue {
  const { clock, random, backoff, flowOf, fairnessOf = namespaceOf } = options;
  return new WorkQueue({
    clock,
    random,
    ...(backoff && { backoff }),
    ...(flowOf && { flowOf: (key: string) => flowOf(parseKey(key)) }),
    fairnessOf: (key) => fairnessOf(parseKey(key)),
    atOncePerFlow: options.concurrencyPerFlow,
    observer: observer?.queue,
  });
}

function namespaceOf(key: ObjectKey): string {
  return key.namespace ?? '';
}
