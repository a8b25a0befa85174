import {
  type Clock,
  DeadlineError,
  type KubeObject,
  keyString,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import type { Logger } from '../log/log.ts';
import { type Ending, endingOf, timedOut } from './ending.ts';
import { type Outcome, TerminalError } from './outcome.ts';

/** What a reconcile is given besides the key. It is never told what changed: it looks at everything. */
export interface ReconcileContext {
  /** Aborts when the time for this reconcile is up, and when the controller stops. */
  readonly signal: AbortSignal;
  /** Knows the controller, the object and this reconcile already. */
  readonly log: Logger;
  /**
   * Says that the reconcile wrote what the cache is going to show. The key does not run again before the cache has
   * caught up with it (or a few seconds have passed), so that it never decides on the state before its own writes.
   */
  wrote<T extends KubeObject>(cache: WriteAwareCache<T>, written: Stored<T>): void;
}

/** A cache that can tell when it has caught up with a write. */
interface WriteAwareCache<T extends KubeObject> {
  seen(written: Stored<T>, signal: AbortSignal): Promise<void>;
}

export type Reconcile = (key: ObjectKey, context: ReconcileContext) => Promise<Outcome>;

export type OnTerminalError = (
  key: ObjectKey,
  error: TerminalError,
  context: ReconcileContext,
) => Promise<void>;

interface ReconcileRunOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly reconcile: Reconcile;
  readonly onTerminalError: OnTerminalError | undefined;
  readonly timeoutMs: number;
}

/** How long a key waits for the caches to show what it wrote. */
const longestHoldMs = 5_000;

/** One reconcile of one key, from its start until the key may run again. */
export class ReconcileRun {
  /** Known at the latest when the time is up, whether the reconcile heeds its signal or not. Never rejects. */
  readonly ending: Promise<Ending>;
  /** When the reconcile has really ended and the caches show what it wrote. Never rejects. */
  readonly released: Promise<void>;
  readonly #options: ReconcileRunOptions;
  readonly #work = new AbortController();
  readonly #hold = new AbortController();
  readonly #writes: ((signal: AbortSignal) => Promise<void>)[] = [];
  #end: ((ending: Ending) => void) | undefined;

  constructor(key: ObjectKey, options: ReconcileRunOptions) {
    const { clock, timeoutMs } = options;
    this.#options = options;
    const timer = clock.after(timeoutMs, () => this.#giveUp(tooSlow(key, timeoutMs)));
    this.ending = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.released = this.#reconcile(key).then((ending) => {
      timer.cancel();
      this.#end?.(ending);
      return this.#untilWritesAreSeen();
    });
  }

  /** The key is not going to run again: nobody needs to see its writes. */
  doNotHold(): void {
    this.#hold.abort();
  }

  abort(): void {
    this.#work.abort(new Error('The controller is stopping'));
    this.#end?.({ type: 'stopped' });
  }

  #giveUp(why: DeadlineError): void {
    this.#work.abort(why);
    this.#end?.(timedOut(why));
  }

  async #reconcile(key: ObjectKey): Promise<Ending> {
    const context = this.#context();
    try {
      return await this.#options.reconcile(key, context);
    } catch (error) {
      return error instanceof TerminalError ? this.#tell(key, error, context) : endingOf(error);
    }
  }

  async #tell(key: ObjectKey, error: TerminalError, context: ReconcileContext): Promise<Ending> {
    try {
      await this.#options.onTerminalError?.(key, error, context);
      return endingOf(error);
    } catch (failure) {
      return endingOf(failure);
    }
  }

  #context(): ReconcileContext {
    return {
      signal: this.#work.signal,
      log: this.#options.log,
      wrote: (cache, written) => {
        this.#writes.push(async (signal) => cache.seen(written, signal));
      },
    };
  }

  async #untilWritesAreSeen(): Promise<void> {
    if (this.#writes.length === 0) return;
    const { clock, log } = this.#options;
    const timer = clock.after(longestHoldMs, () => {
      log.debug('The cache does not show a write of ours yet: going on without');
      this.#hold.abort(new DeadlineError('Cannot wait longer for the cache'));
    });
    await Promise.allSettled(this.#writes.map((seen) => seen(this.#hold.signal)));
    timer.cancel();
  }
}

function tooSlow(key: ObjectKey, timeoutMs: number): DeadlineError {
  return new DeadlineError(
    `Cannot reconcile "${keyString(key)}": not finished within ${timeoutMs / 1000} s`,
  );
}
