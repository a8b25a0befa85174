import type { Clock, Timer } from '@liqo/kube';

export interface VirtualClockOptions {
  /** What the wall clock shows at the start, in milliseconds since the epoch. */
  readonly startMs?: number;
  /** By how much the wall clock is wrong; durations are not touched by it. */
  readonly skewMs?: number;
  /**
   * For how many turns of the event loop `settle` waits: 3 unless it says otherwise. All promise jobs run within one; more
   * are for code that itself yields to the event loop.
   */
  readonly settleTurns?: number;
}

interface PendingTimer {
  readonly dueMs: number;
  readonly run: () => void;
}

const defaultStartMs = Date.UTC(2030, 0, 1);

/**
 * Time that passes only when a test says so.
 *
 * Timers fire in the order in which they are due (equals in the order in which they were set), each one at exactly its
 * time, and everything that a timer set in motion comes to rest before the next one fires. So an hour of back-offs,
 * leases and resyncs runs in milliseconds, the same way every time.
 */
export class VirtualClock implements Clock {
  /** By how much the wall clock is wrong; may be changed at any time. */
  skewMs: number;
  readonly #startMs: number;
  readonly #settleTurns: number;
  #elapsedMs = 0;
  /** Sorted: the next one to fire is first. */
  readonly #timers: PendingTimer[] = [];

  constructor(options: VirtualClockOptions = {}) {
    this.#startMs = options.startMs ?? defaultStartMs;
    this.skewMs = options.skewMs ?? 0;
    this.#settleTurns = options.settleTurns ?? 3;
  }

  now(): number {
    return this.#startMs + this.#elapsedMs + this.skewMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  /** Whole milliseconds, as in Node; rounded up, so that nothing is ever early by a fraction of one. */
  after(delayMs: number, run: () => void): Timer {
    const timer = { dueMs: this.#elapsedMs + Math.ceil(Math.max(0, delayMs)), run };
    this.#timers.splice(this.#firstAfter(timer.dueMs), 0, timer);
    return { cancel: () => this.#forget(timer) };
  }

  /** How many timers are set: zero after a clean stop, or something leaks. */
  get pendingTimers(): number {
    return this.#timers.length;
  }

  /** How long until the next timer is due, undefined when none is set. */
  get nextTimerMs(): number | undefined {
    const next = this.#timers[0];
    return next && Math.max(0, next.dueMs - this.#elapsedMs);
  }

  /** Lets `ms` pass, with every timer that falls due on the way, also those that are set on the way. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#elapsedMs + ms;
    await this.settle();
    for (let next = this.#takeDue(untilMs); next; next = this.#takeDue(untilMs)) {
      this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs);
      next.run();
      await this.settle();
    }
    this.#elapsedMs = untilMs;
  }

  /**
   * A process that did not run for `ms` (event loop blocked, machine asleep): time has passed all at once, and the
   * timers that fell due meanwhile fire late, after each other.
   */
  async stall(ms: number): Promise<void> {
    await this.settle();
    this.#elapsedMs += ms;
    await this.advance(0);
  }

  /** Waits until everything that can run without time passing has run. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < this.#settleTurns; turn++) await nextTurn();
  }

  #takeDue(untilMs: number): PendingTimer | undefined {
    const [next] = this.#timers;
    return next && next.dueMs <= untilMs ? this.#timers.shift() : undefined;
  }

  #forget(timer: PendingTimer): void {
    const index = this.#timers.lastIndexOf(timer, this.#firstAfter(timer.dueMs) - 1);
    if (index >= 0) this.#timers.splice(index, 1);
  }

  /** The index of the first timer that is due later than this. */
  #firstAfter(dueMs: number): number {
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle]?.dueMs ?? 0) <= dueMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
