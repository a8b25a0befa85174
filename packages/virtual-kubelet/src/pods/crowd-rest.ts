import type { Clock, Timer } from '@liqo/kube';

export interface CrowdRestOptions {
  readonly clock: Clock;
  /** How long it is, as a multiple of how late the news were. */
  readonly factor: number;
  /** Told when it is over. */
  readonly onOver: () => void;
}

/** A crowd that has not grown for so long is all there. */
const thereAfterMs = 250;
/** Whoever still comes after that time always comes. */
const longestMs = 15_000;

/**
 * When those who wait in a crowd rest: while it still grows and the API server here is late with its news. Whoever makes the crowd
 * is done sooner then, and so is everybody else. It is over at once when nobody comes any more.
 */
export class CrowdRest implements Disposable {
  readonly #options: CrowdRestOptions;
  #grownSinceMs = Number.NEGATIVE_INFINITY;
  #grewMs = Number.NEGATIVE_INFINITY;
  #untilMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;

  constructor(options: CrowdRestOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#leftMs() > 0;
  }

  /** Somebody has joined a crowd. */
  grew(): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (nowMs - this.#grewMs > thereAfterMs) this.#grownSinceMs = nowMs;
    this.#grewMs = nowMs;
  }

  /** News were late by so much. */
  late(newsMs: number): void {
    const { clock, factor } = this.#options;
    this.#untilMs = Math.max(this.#untilMs, clock.monotonicMs() + factor * newsMs);
    this.#wait();
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }

  #leftMs(): number {
    const endMs = Math.min(
      this.#untilMs,
      this.#grewMs + thereAfterMs,
      this.#grownSinceMs + longestMs,
    );
    return endMs - this.#options.clock.monotonicMs();
  }

  #wait(): void {
    this.#timer?.cancel();
    const leftMs = this.#leftMs();
    if (leftMs > 0) this.#timer = this.#options.clock.after(leftMs, () => this.#look());
  }

  /** It may have grown meanwhile. */
  #look(): void {
    if (this.isOn) this.#wait();
    else this.#options.onOver();
  }
}
