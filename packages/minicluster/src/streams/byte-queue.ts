/** Bytes that arrive while somebody reads them. */
export class ByteQueue implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  readonly #onTaken: () => void;
  #size = 0;
  #ended = false;
  #wake: () => void = () => {};

  /** `onTaken` is called when the reader has made room. */
  constructor(onTaken: () => void = () => {}) {
    this.#onTaken = onTaken;
  }

  /** How many bytes wait for the reader. */
  get size(): number {
    return this.#size;
  }

  push(chunk: Uint8Array): void {
    if (this.#ended) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#wake();
  }

  /** Safe to repeat. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const chunk = this.#take();
      if (chunk) yield chunk;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #take(): Uint8Array | undefined {
    const chunk = this.#chunks.shift();
    if (!chunk) return undefined;
    this.#size -= chunk.length;
    this.#onTaken();
    return chunk;
  }
}
