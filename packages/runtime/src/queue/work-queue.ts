import type { Clock, Random, Timer } from '@liqo/kube';
import { WaitList } from '../cache/wait-list.ts';
import { type BackoffPolicy, backoffMs } from './backoff.ts';
import { FairQueue } from './fair-queue.ts';
import { Fifo } from './fifo.ts';
import type { UnfinishedWork, WorkQueueObserver } from './work-queue-observer.ts';

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The waits of `addRateLimited`. */
  readonly backoff?: BackoffPolicy;
  /** Keys of different flows take turns. All keys are one flow when absent. */
  readonly flowOf?: ((key: string) => string) | undefined;
  /** Within a flow, keys of different lanes take turns. All keys are one lane when absent. */
  readonly fairnessOf?: ((key: string) => string) | undefined;
  /** How many keys of one flow are worked on at the same time. Unlimited when absent. */
  readonly atOncePerFlow?: number | undefined;
  readonly observer?: WorkQueueObserver | undefined;
}

/** What a wait must be, however often something has failed. */
export interface WaitBounds {
  readonly atLeastMs?: number;
  readonly atMostMs?: number;
}

/** When whatever was in the way is gone nobody should have to wait much longer: an outage may have taken hours. */
const defaultBackoff: BackoffPolicy = { firstMs: 5, longestMs: 30_000 };

/**
 * Keys of things to be worked on, each at most once at a time.
 *
 * - A key that is waiting already is not added twice.
 * - A key is never handed out while it is being worked on: added meanwhile, it waits until `done` and then runs once
 *   more. So whoever takes it sees every change made before, and no key ever runs in parallel with itself.
 * - A key has one next run, the earliest that was asked for. A run covers everything known when it starts; whoever wants
 *   another one later asks again.
 *
 * Every taken key must be given back with `done`, whatever became of it.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #backoff: BackoffPolicy;
  readonly #observer: WorkQueueObserver | undefined;
  readonly #flowOf: (key: string) => string;
  readonly #fairnessOf: (key: string) => string;
  readonly #atOncePerFlow: number;
  readonly #ready = new FairQueue();
  /** The flows of the keys in `#ready` and of those that occupy a worker: what `flowOf` says may change meanwhile. */
  readonly #flows = new Map<string, string>();
  /** How many workers each flow occupies. */
  readonly #occupied = new Map<string, number>();
  /** Wakes one who waits for a key: what is added in one go is thereby known before the first key is taken. */
  readonly #takers = new Fifo<() => void>();
  /** Since when a key has been due: those in `#ready`, and those that run and will run again. */
  readonly #dueSinceMs = new Map<string, number>();
  readonly #runningSinceMs = new Map<string, number>();
  readonly #planned = new Map<string, { readonly dueMs: number; readonly timer: Timer }>();
  readonly #failures = new Map<string, number>();
  readonly #drained = new WaitList();
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#backoff = options.backoff ?? defaultBackoff;
    this.#observer = options.observer;
    this.#flowOf = options.flowOf ?? (() => '');
    this.#fairnessOf = options.fairnessOf ?? (() => '');
    this.#atOncePerFlow = options.atOncePerFlow ?? Number.POSITIVE_INFINITY;
  }

  /** How many keys are due and not running. */
  get depth(): number {
    return this.#ready.size;
  }

  get running(): readonly string[] {
    return [...this.#runningSinceMs.keys()];
  }

  add(key: string): void {
    if (this.#closed) return;
    this.#unplan(key);
    if (this.#dueSinceMs.has(key)) return;
    this.#dueSinceMs.set(key, this.#clock.monotonicMs());
    this.#observer?.added();
    if (!this.#runningSinceMs.has(key)) this.#makeReady(key);
  }

  addAfter(key: string, delayMs: number): void {
    if (delayMs <= 0) this.add(key);
    else if (!this.#closed && !this.#dueSinceMs.has(key)) this.#plan(key, delayMs);
  }

  /** Adds after a wait that grows with every call until `forget`; gives back how long it is. */
  addRateLimited(key: string, bounds: WaitBounds = {}): number {
    const { atLeastMs = 0, atMostMs = this.#backoff.longestMs } = bounds;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const longestMs = Math.min(atMostMs, this.#backoff.longestMs);
    const growingMs = backoffMs({ ...this.#backoff, longestMs }, failures, this.#random);
    const delayMs = Math.max(atLeastMs, growingMs);
    this.#observer?.retried();
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** The key did well: its next failure is its first. A planned run stays planned. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The next key, as soon as there is one; undefined once the queue is closed. */
  async take(): Promise<string | undefined> {
    let key = this.#next();
    while (key === undefined && !this.#closed) {
      await new Promise<void>((wake) => this.#takers.push(wake));
      key = this.#next();
    }
    if (key !== undefined) this.#begin(key);
    return key;
  }

  /** The worker is free for another key. The key itself stays taken until `done`. */
  release(key: string): void {
    const flow = this.#runningSinceMs.has(key) ? this.#flows.get(key) : undefined;
    if (flow === undefined) return;
    this.#flows.delete(key);
    const others = (this.#occupied.get(flow) ?? 1) - 1;
    if (others > 0) this.#occupied.set(flow, others);
    else this.#occupied.delete(flow);
    if (this.depth > 0) this.#takers.shift()?.();
  }

  done(key: string): void {
    const sinceMs = this.#runningSinceMs.get(key);
    if (sinceMs === undefined) return;
    this.release(key);
    this.#runningSinceMs.delete(key);
    this.#observer?.finished((this.#clock.monotonicMs() - sinceMs) / 1000);
    if (this.#dueSinceMs.has(key)) this.#makeReady(key);
    this.#drained.check();
  }

  unfinishedWork(): UnfinishedWork {
    const nowMs = this.#clock.monotonicMs();
    let totalSeconds = 0;
    let longestSeconds = 0;
    for (const sinceMs of this.#runningSinceMs.values()) {
      const seconds = (nowMs - sinceMs) / 1000;
      totalSeconds += seconds;
      longestSeconds = Math.max(longestSeconds, seconds);
    }
    return { totalSeconds, longestSeconds };
  }

  /** Hands out nothing more and drops what waits. */
  close(): void {
    this.#closed = true;
    for (const { timer } of this.#planned.values()) timer.cancel();
    this.#planned.clear();
    this.#dueSinceMs.clear();
    this.#ready.clear();
    for (const key of this.#flows.keys())
      if (!this.#runningSinceMs.has(key)) this.#flows.delete(key);
    this.#observer?.depthChanged(0);
    for (let taker = this.#takers.shift(); taker; taker = this.#takers.shift()) taker();
  }

  /** Resolves when nothing is being worked on. */
  drained(signal?: AbortSignal): Promise<void> {
    return this.#drained.until(() => this.#runningSinceMs.size === 0, signal);
  }

  #makeReady(key: string): void {
    const flow = this.#flowOf(key);
    this.#flows.set(key, flow);
    this.#ready.add({ flow, lane: this.#fairnessOf(key) }, key);
    this.#observer?.depthChanged(this.depth);
    this.#takers.shift()?.();
  }

  #next(): string | undefined {
    return this.#ready.shift((flow) => (this.#occupied.get(flow) ?? 0) < this.#atOncePerFlow);
  }

  #begin(key: string): void {
    const nowMs = this.#clock.monotonicMs();
    const flow = this.#flows.get(key) ?? '';
    this.#occupied.set(flow, (this.#occupied.get(flow) ?? 0) + 1);
    const dueSinceMs = this.#dueSinceMs.get(key) ?? nowMs;
    this.#dueSinceMs.delete(key);
    this.#runningSinceMs.set(key, nowMs);
    this.#observer?.depthChanged(this.depth);
    this.#observer?.taken((nowMs - dueSinceMs) / 1000);
  }

  #plan(key: string, delayMs: number): void {
    const dueMs = this.#clock.monotonicMs() + delayMs;
    const planned = this.#planned.get(key);
    if (planned && planned.dueMs <= dueMs) return;
    planned?.timer.cancel();
    const timer = this.#clock.after(delayMs, () => this.add(key));
    this.#planned.set(key, { dueMs, timer });
  }

  #unplan(key: string): void {
    this.#planned.get(key)?.timer.cancel();
    this.#planned.delete(key);
  }
}
