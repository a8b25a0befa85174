import { labels } from '@liqo/api';
import {
  ApiError,
  type Clock,
  isAlreadyExists,
  keyOf,
  keyString,
  type Pod,
  parseKey,
  type Stored,
} from '@liqo/kube';
import { type Charge, isFinished, isFreeing, Ledger, podDemand } from '@liqo/model';
import type { Informer } from '@liqo/runtime';

interface PodLedgerOptions {
  readonly pods: Informer<Pod>;
  readonly clock: Clock;
  /** Called when a pod is charged less than before, or no longer. */
  readonly onFreed: (tenant: string) => void;
}

/** A write of ours that the cache does not show yet. */
interface Pending {
  readonly charge: Charge;
  /** Whether the cache shows the outcome as soon as it shows a pod. */
  readonly isCreation: boolean;
  /** Until when the write may still take effect though its answer was lost. */
  readonly doubtUntilMs?: number;
}

/** After this long, the API server has ended every request that it received. */
const doubtMs = 60_000;

/**
 * What the pods of consumers are charged: those in the cache, and those that this process has written and the cache does not
 * show yet. It is derived from the cache, so it is the same after a restart. Pods that another process creates count as soon
 * as the cache shows them: only the leader creates pods.
 */
export class PodLedger {
  readonly #options: PodLedgerOptions;
  readonly #ledger = new Ledger();
  readonly #pending = new Map<string, Pending>();
  readonly #end = new AbortController();

  constructor(options: PodLedgerOptions) {
    this.#options = options;
  }

  /** Follows the cache until disposed. Nothing is written before. */
  start(): Disposable {
    const observe = (pod: Stored<Pod>) => this.#observe(keyString(keyOf(pod)));
    const subscription = this.#options.pods.subscribe({
      onAdd: observe,
      onUpdate: (_, after) => observe(after),
      onDelete: observe,
    });
    return {
      [Symbol.dispose]: () => {
        subscription[Symbol.dispose]();
        this.#end.abort();
      },
    };
  }

  get(key: string): Charge | undefined {
    return this.#ledger.get(key);
  }

  used(tenant: string, creator: string | undefined): ReturnType<Ledger['used']> {
    return this.#ledger.used(tenant, creator);
  }

  /**
   * Charges a write before it is sent, until the cache shows its outcome. The charge is made before the first await, so that a
   * decision and its charge are one step.
   */
  async write(key: string, charge: Charge, send: () => Promise<Stored<Pod>>): Promise<Stored<Pod>> {
    const earlier = this.#pending.get(key);
    const isCreation = this.#ledger.get(key) === undefined || earlier?.isCreation === true;
    this.#set(key, { charge, isCreation });
    try {
      const written = await send();
      this.settle(key, written);
      return written;
    } catch (error) {
      const doubtUntilMs = isAnswer(error) ? earlier?.doubtUntilMs : this.#now() + doubtMs;
      if (doubtUntilMs === undefined) this.#set(key, undefined);
      else this.#doubt(key, { charge, isCreation, doubtUntilMs });
      throw error;
    }
  }

  /** The pod as the API server has it now, or that it has none. */
  settle(key: string, live: Stored<Pod> | undefined): void {
    const charge = live && chargeOf(live);
    const isShown = live && this.#options.pods.hasSeen(live);
    const pending = charge && !isShown ? { charge, isCreation: false } : undefined;
    this.#set(key, pending);
    if (!live || !pending) return;
    const settled = this.#options.pods.seen(live, this.#end.signal);
    // Rejected when the cache stops: nothing is decided by it any more.
    settled.then(() => this.#release(key, pending)).catch(() => {});
  }

  #observe(key: string): void {
    const pending = this.#pending.get(key);
    if (pending && this.#isShown(key, pending)) this.#set(key, undefined);
    else this.#refresh(key);
  }

  #doubt(key: string, pending: Required<Pending>): void {
    const leftMs = pending.doubtUntilMs - this.#now();
    const isOver = leftMs <= 0 || this.#isShown(key, pending);
    this.#set(key, isOver ? undefined : pending);
    if (!isOver) this.#options.clock.after(leftMs, () => this.#release(key, pending));
  }

  /** A pod is created only where the cache shows none: one that it shows later is the outcome. */
  #isShown(key: string, { isCreation, doubtUntilMs }: Pending): boolean {
    const isDoubtful = isCreation && doubtUntilMs !== undefined;
    return isDoubtful && this.#options.pods.get(parseKey(key)) !== undefined;
  }

  #release(key: string, pending: Pending): void {
    if (this.#pending.get(key) === pending) this.#set(key, undefined);
  }

  #set(key: string, pending: Pending | undefined): void {
    if (pending) this.#pending.set(key, pending);
    else this.#pending.delete(key);
    this.#refresh(key);
  }

  #refresh(key: string): void {
    const before = this.#ledger.get(key);
    const after = this.#pending.get(key)?.charge ?? this.#cached(key);
    this.#ledger.set(key, after);
    if (before && isFreeing(before, after)) this.#options.onFreed(before.tenant);
  }

  #cached(key: string): Charge | undefined {
    const pod = this.#options.pods.get(parseKey(key));
    return pod && chargeOf(pod);
  }

  #now(): number {
    return this.#options.clock.monotonicMs();
  }
}

/** A pod that has ended takes nothing. The label of the origin is ours: it is that of the namespace. */
function chargeOf({ metadata, spec, status }: Stored<Pod>): Charge | undefined {
  const tenant = metadata.labels?.[labels.origin];
  if (tenant === undefined || isFinished(status?.phase)) return undefined;
  const demand = podDemand({ ...(spec && { spec }), ...(status && { status }) });
  return { tenant, creator: metadata.labels?.[labels.creatorUser], demand };
}

/** Whether the API server has said that the write had no effect, and will have none. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  // What exists may be what an earlier attempt, whose answer was lost, has created.
  const isTaken: boolean = isAlreadyExists(error);
  return !isTaken && error.code >= 400 && error.code < 500 && error.code !== 408;
}
