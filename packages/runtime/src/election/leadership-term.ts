import type { Clock, Timer } from '@liqo/kube';

/** Why a leader's signal aborted although nobody asked it to stop. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError';
}

/**
 * The work of a leader. It ends soon after its signal aborts. `mayWrite` is for `fenceClient`: every client through which
 * the work writes, to whichever cluster, is fenced with it.
 */
export type LeaderWork = (signal: AbortSignal, mayWrite: () => boolean) => Promise<void>;

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
  #isLost = false;
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

  /**
   * Whether the work of this term may write at this moment, by the clock. True also while the work of a term that was
   * ended on purpose drains, because the lease is renewed until it has. A term that was lost never writes again, whoever
   * has held the lease since.
   */
  get mayWrite(): boolean {
    const isOver = this.#over.signal.aborted;
    return !this.#isLost && !isOver && this.#clock.monotonicMs() < this.#endsMs();
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
        await work(signal, () => this.mayWrite);
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      } finally {
        this.#working = false;
        this.#finishIfOver();
      }
    };
    void run();
  }

  /** To be called after every wait and before every renewal: a renewal that comes too late does not bring a term back. */
  endIfLate(): void {
    if (this.#clock.monotonicMs() < this.#endsMs()) return;
    this.lose('the lease could not be renewed in time');
  }

  /** Ends the term, or the drain of one that was ended on purpose. */
  lose(why: string): void {
    this.#isLost = true;
    this.end(new LeadershipLostError(`Cannot go on leading: ${why}`));
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
