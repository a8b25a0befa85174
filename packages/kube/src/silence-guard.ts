import { CallEnd } from './call-signal.ts';
import type { Clock, Timer } from './clock.ts';
import { TransportError } from './transport.ts';

/** Nobody asks why: and what is made for nobody is costly. */
const ended = new Error('The watch has ended');

/**
 * Notices a connection that is open and dead: its signal aborts when nothing was heard for `silenceMs`, and when the
 * outer signal does. One timer serves however much is heard.
 */
export class SilenceGuard {
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #outer: AbortSignal | undefined;
  readonly signal = new CallEnd();
  readonly #onOuterAbort = () => this.signal.abort(this.#outer?.reason);
  #heardMs: number;
  #timer: Timer;

  constructor(clock: Clock, silenceMs: number, outer: AbortSignal | undefined) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#outer = outer;
    this.#heardMs = clock.monotonicMs();
    this.#timer = this.#checkAfter(silenceMs);
    outer?.addEventListener('abort', this.#onOuterAbort, { once: true });
    if (outer?.aborted) this.#onOuterAbort();
  }

  /** Something was heard. */
  heard(): void {
    this.#heardMs = this.#clock.monotonicMs();
  }

  /** Ends the guard and, with its signal, whatever it still guards. */
  end(): void {
    this.#timer.cancel();
    this.#outer?.removeEventListener('abort', this.#onOuterAbort);
    this.signal.abort(ended);
  }

  #checkAfter(delayMs: number): Timer {
    return this.#clock.after(delayMs, () => {
      const leftMs = this.#heardMs + this.#silenceMs - this.#clock.monotonicMs();
      if (leftMs > 0) {
        this.#timer = this.#checkAfter(leftMs);
        return;
      }
      const message = `Cannot trust the connection: nothing was heard for ${this.#silenceMs / 1000} s`;
      this.signal.abort(new TransportError(message, { sent: true }));
    });
  }
}
