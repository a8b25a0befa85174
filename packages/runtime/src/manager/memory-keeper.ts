import type { Clock, Timer } from '@liqo/kube';

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
  readonly process: KeptProcess;
}

const everyMs = 5_000;
/** Busier than that, it needs the room that it has. */
const restShare = 0.2;
/** What less of is not worth a break. */
const worthBytes = 8 * 1024 * 1024;

/** Keeps the memory of the process small: what a burst of work has taken is given back when it is over. */
export function startMemoryKeeper(options: MemoryKeeperOptions): Disposable {
  const keeper = new MemoryKeeper(options);
  keeper.lookLater();
  return keeper;
}

class MemoryKeeper implements Disposable {
  readonly #options: MemoryKeeperOptions;
  #busyMs = 0;
  #cleanBytes = 0;
  #timer: Timer | undefined;

  constructor(options: MemoryKeeperOptions) {
    this.#options = options;
  }

  lookLater(): void {
    this.#timer = this.#options.clock.after(everyMs, () => void this.#look());
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
    if (isAtRest && process.heapBytes() - this.#cleanBytes > worthBytes) {
      await process.clean();
      this.#cleanBytes = process.heapBytes();
    }
    if (this.#timer) this.lookLater();
  }
}
