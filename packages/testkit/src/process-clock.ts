import type { Clock, Timer } from '@liqo/kube';
import type { VirtualClock } from './virtual-clock.ts';

/**
 * The clock of one process among several that share a `VirtualClock`: its wall time may be wrong, and the process may
 * stand still (blocked event loop, stopped container) while time goes on for the others.
 */
export class ProcessClock implements Clock {
  /** By how much this process's wall clock is wrong; may be changed at any time. */
  skewMs = 0;
  readonly #clock: VirtualClock;
  #frozen = false;
  #overdue: (() => void)[] = [];

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  get frozen(): boolean {
    return this.#frozen;
  }

  now(): number {
    return this.#clock.now() + this.skewMs;
  }

  monotonicMs(): number {
    return this.#clock.monotonicMs();
  }

  after(delayMs: number, run: () => void): Timer {
    let cancelled = false;
    const fire = () => {
      if (cancelled) return;
      if (this.#frozen) this.#overdue.push(fire);
      else run();
    };
    const timer = this.#clock.after(delayMs, fire);
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }

  /** From now on no timer of this process fires. */
  freeze(): void {
    this.#frozen = true;
  }

  /** Goes on, late: what fell due meanwhile fires now, one after the other. */
  async thaw(): Promise<void> {
    this.#frozen = false;
    const overdue = this.#overdue;
    this.#overdue = [];
    for (const fire of overdue) {
      fire();
      await this.#clock.settle();
    }
  }

  /** What reaches a process from outside waits for this. */
  async untilThawed(): Promise<void> {
    while (this.#frozen) await new Promise<void>((resolve) => this.#overdue.push(resolve));
  }
}
