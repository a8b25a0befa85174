import type { Clock, Timer } from '@liqo/kube';
import type { Logger } from '../log/log.ts';

/** A process as the one who keeps its memory sees it. */
export interface KeptProcess {
  /** How long it has kept a processor busy, in all. */
  busyMs(): number;
  /** What its heap takes, used or not. */
  heapBytes(): number;
  /** Gives back what is not used. Everything else waits meanwhile. */
  clean(): Promise<void>;
}

export interface MemoryKeeperOptions {
  readonly clock: Clock;
  readonly log: Logger;
  readonly process: KeptProcess;
}

const everyMs = 5_000;
/** Whoever is busier than that is at work, and a break would be felt. */
const restShare = 0.03;
/** After a cleaning everything is slower for a moment. */
const leastApartMs = 60_000;
/** What less of is not worth a break. */
const worthBytes = 8 * 1024 * 1024;

/**
 * Keeps the memory of the process small: what a burst of work has taken is given back when it is over. Where that does not
 * work it says so, once, and the process goes on without.
 */
export function startMemoryKeeper(options: MemoryKeeperOptions): Disposable {
  const keeper = new MemoryKeeper(options);
  keeper.lookLater();
  return keeper;
}

class MemoryKeeper implements Disposable {
  readonly #options: MemoryKeeperOptions;
  #busyMs = 0;
  #cleanBytes = 0;
  #cleanedMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(options: MemoryKeeperOptions) {
    this.#options = options;
  }

  lookLater(): void {
    this.#timer = this.#options.clock.after(
      everyMs,
      () => void this.#look().catch((error) => this.#giveUp(error)),
    );
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    const { process } = this.#options;
    const busyMs = process.busyMs();
    const isAtRest = busyMs - this.#busyMs < everyMs * restShare;
    this.#busyMs = busyMs;
    if (isAtRest && this.#isWorthIt()) await this.#clean();
    if (this.#timer) this.lookLater();
  }

  #giveUp(error: unknown): void {
    this[Symbol.dispose]();
    this.#options.log.warn('Cannot give memory back: what is not used is kept', { err: error });
  }

  #isWorthIt(): boolean {
    const { clock, process } = this.#options;
    const isLongAgo = clock.monotonicMs() - this.#cleanedMs >= leastApartMs;
    return isLongAgo && process.heapBytes() - this.#cleanBytes > worthBytes;
  }

  async #clean(): Promise<void> {
    const { clock, process } = this.#options;
    await process.clean();
    this.#cleanBytes = process.heapBytes();
    this.#cleanedMs = clock.monotonicMs();
  }
}
