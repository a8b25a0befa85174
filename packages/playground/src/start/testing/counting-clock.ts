import type { Clock } from '@liqo/kube';
import { systemClock } from '@liqo/runtime';

/** The machine's time, and how many of its timers are still to come. */
export class CountingClock implements Clock {
  #pending = 0;

  get pending(): number {
    return this.#pending;
  }

  now(): number {
    return systemClock.now();
  }

  monotonicMs(): number {
    return systemClock.monotonicMs();
  }

  after(delayMs: number, run: () => void): { cancel(): void } {
    this.#pending += 1;
    let isOver = false;
    const end = () => {
      if (!isOver) this.#pending -= 1;
      isOver = true;
    };
    const timer = systemClock.after(delayMs, () => {
      end();
      run();
    });
    const cancel = () => {
      end();
      timer.cancel();
    };
    return { cancel };
  }
}
