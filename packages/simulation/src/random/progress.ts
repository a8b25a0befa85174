import type { Clock } from '@liqo/kube';
import type { Verdict } from './judge-seed.ts';

const everyMs = 5_000;

/** Says now and then how far it is. */
export class Progress {
  readonly #clock: Clock;
  readonly #total: number;
  readonly #startMs: number;
  #saidMs: number;
  #done = 0;
  #simulatedMs = 0;
  #calls = 0;
  readonly #failed: number[] = [];

  constructor(clock: Clock, total: number) {
    this.#clock = clock;
    this.#total = total;
    this.#startMs = clock.monotonicMs();
    this.#saidMs = this.#startMs;
  }

  get hasFailures(): boolean {
    return this.#failed.length > 0;
  }

  /** A line that is due, if one is. */
  note({ seed, wrongs, simulatedMs, calls }: Verdict): string | undefined {
    this.#done += 1;
    this.#simulatedMs += simulatedMs;
    this.#calls += calls;
    if (wrongs.length > 0) this.#failed.push(seed);
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#saidMs < everyMs || this.#done === this.#total) return undefined;
    this.#saidMs = nowMs;
    return `${this.#done} of ${this.#total} seeds, ${this.#failures()}, ${this.#speed()}`;
  }

  summary(): string {
    const hours = (this.#simulatedMs / 3_600_000).toFixed(1);
    const facts = `${hours} hours of clusters, ${this.#calls} calls of the product`;
    const failed = this.hasFailures ? ` (${this.#failed.join(', ')})` : '';
    return `${this.#done} seeds, ${this.#failures()}${failed}, ${this.#speed()}; ${facts}`;
  }

  #failures(): string {
    const number = this.#failed.length;
    return number === 1 ? '1 failure' : `${number} failures`;
  }

  #speed(): string {
    const minutes = (this.#clock.monotonicMs() - this.#startMs) / 60_000;
    return `${minutes > 0 ? Math.round(this.#done / minutes) : 0} seeds a minute`;
  }
}
