import { type CallSignal, TransportError } from '@liqo/kube';

const encoder = new TextEncoder();

/** The body of a watch, written by a test: lines as they come, until it is ended, broken, or nobody reads any more. */
export class WatchStream implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  #wake: () => void = () => undefined;
  #ending: 'open' | 'ended' | 'broken' = 'open';
  readonly #onEnd: () => void;

  constructor(signal: CallSignal, onEnd: () => void) {
    this.#onEnd = onEnd;
    signal.addEventListener('abort', () => this.end(), { once: true });
  }

  write(text: string): void {
    if (this.#ending !== 'open') return;
    this.#chunks.push(encoder.encode(text));
    this.#wake();
  }

  /** As a server ends a watch: what was written is still read. */
  end(): void {
    this.#finish('ended');
  }

  /** As a connection dies: the reader gets what came before, then an error. */
  break(): void {
    this.#finish('broken');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      while (true) {
        const chunk = this.#chunks.shift();
        if (chunk) yield chunk;
        else if (this.#ending === 'ended') return;
        else if (this.#ending === 'broken') throw new TransportError('Broken', { sent: true });
        else await new Promise<void>((resolve) => this.#wakeWith(resolve));
      }
    } finally {
      this.end();
    }
  }

  #finish(ending: 'ended' | 'broken'): void {
    if (this.#ending !== 'open') return;
    this.#ending = ending;
    this.#onEnd();
    this.#wake();
  }

  #wakeWith(resolve: () => void): void {
    this.#wake = resolve;
  }
}
