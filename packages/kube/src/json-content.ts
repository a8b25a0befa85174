/**
 * What a server answers to somebody in the same process: the value itself, which is JSON only if somebody wants to see
 * bytes. It belongs to the server: no reader may change it.
 */
export class JsonContent {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** As it would be sent. */
  toString(): string {
    return `${JSON.stringify(this.value)}\n`;
  }
}

/** The same of a stream of values, in batches that are there at the same time: JSON line by line for whoever reads bytes. */
export class JsonLines<T = unknown> implements AsyncIterable<Uint8Array> {
  readonly batches: AsyncIterable<readonly T[]>;
  readonly #write: (value: T) => string;

  constructor(batches: AsyncIterable<readonly T[]>, write: (value: T) => string = JSON.stringify) {
    this.batches = batches;
    this.#write = write;
  }

  /** The same values, on another way. */
  through(
    way: (batches: AsyncIterable<readonly T[]>) => AsyncIterable<readonly T[]>,
  ): JsonLines<T> {
    return new JsonLines(way(this.batches), this.#write);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const encoder = new TextEncoder();
    for await (const batch of this.batches) {
      yield encoder.encode(batch.map((value) => `${this.#write(value)}\n`).join(''));
    }
  }
}
