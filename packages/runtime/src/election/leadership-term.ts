import type { Clock, Timer } from '@liqo/kube';

/** Why a leader's signal aborted although nobody asked it to stop. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError';
}

/** What a leader does. It ends soon after its signal aborts. */
export type LeaderWork = (signal: AbortSignal) => Promise<void>;

/**
 * One time of leading: the work, and the moment at which it has to stop unless the lease is renewed.
 *
 * The term is *ended* when its signal has aborted, and *over* when the work has come to its end as well.
 */
export class LeadershipTerm {
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #over = new AbortController();
  readonly #onEnd: () => void;
  readonly #endsMs: () => number;
  #timer: Timer | undefined;
  #working = true;
  #failure: { readonly error: unknown } | undefined;

  /** `endsMs` tells until when the term may last as things are; it moves on whenever the lease is renewed. */
  constructor(clock: Clock, endsMs: () => number, onEnd: () => void) {
    this.#clock = clock;
    this.#endsMs = endsMs;
    this.#onEnd = onEnd;
    this.#arm();
  }

  /** Aborts when the term is over. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** By the clock, even while a blocked event loop has kept the timer from firing. */
  get leads(): boolean {
    return !this.#ending.signal.aborted && this.#clock.monotonicMs() < this.#endsMs();
  }

  get ended(): boolean {
    return this.#ending.signal.aborted;
  }

  /** What the work failed with while it was allowed to go on. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  begin(work: LeaderWork): void {
    const { signal } = this.#ending;
    const run = async () => {
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      } finally {
        this.#working = false;
        this.#finishIfOver();
      }
    };
    void run();
  }

  /** Also for whoever wakes up and does not know how long it slept. An ended term does not come back. */
  endIfLate(): void {
    if (this.#clock.monotonicMs() < this.#endsMs()) return;
    this.end(
      new LeadershipLostError('Cannot go on leading: the lease could not be renewed in time'),
    );
  }

  end(reason: Error): void {
    if (this.ended) return;
    this.#timer?.cancel();
    this.#ending.abort(reason);
    this.#onEnd();
    this.#finishIfOver();
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.end(new Error('The work of the leader failed', { cause: error }));
  }

  #arm(): void {
    const remainingMs = Math.max(0, this.#endsMs() - this.#clock.monotonicMs());
    this.#timer = this.#clock.after(remainingMs, () => {
      this.endIfLate();
      if (!this.ended) this.#arm();
    });
  }

  #finishIfOver(): void {
    if (this.ended && !this.#working) this.#over.abort();
  }
}
