import { Duplex } from 'node:stream';
import type { Frame, SpdyHeaders } from './frame.ts';

/** What a stream needs of its connection. */
export interface StreamWire {
  /** The callback is told when the bytes are on their way, or why they are not. */
  send(frame: Frame, done?: (error?: Error | null) => void): void;
  /** The stream is over on this side. */
  forget(id: number): void;
}

/** How much is kept for a reader who is slower than the peer, per stream. */
const bufferedBytes = 128 * 1024;
const frameBytes = 32 * 1024;
const cancelled = 5;

/**
 * One stream of a connection. `bytes` ends when the peer ends it, is ended for the peer with `end()`, each on its own, and
 * `destroy()` before both have happened is a reset.
 */
export class SpdyStream {
  readonly id: number;
  /** Sent by whoever opened it. */
  readonly headers: SpdyHeaders;
  readonly bytes: Duplex;
  readonly #wire: StreamWire;
  #isEndedHere = false;
  #isEndedThere = false;
  #isCut = false;
  #makeRoom: () => void = () => {};

  constructor(wire: StreamWire, id: number, headers: SpdyHeaders) {
    this.#wire = wire;
    this.id = id;
    this.headers = headers;
    this.bytes = new Duplex({
      highWaterMark: bufferedBytes,
      read: () => this.#makeRoom(),
      write: (chunk: Uint8Array, _, done) => this.#write(chunk, done),
      final: (done) => this.#finish(done),
      destroy: (error, done) => {
        this.#leave();
        done(error);
      },
    });
    // Whoever uses it is told by its close.
    this.bytes.on('error', () => undefined);
  }

  /** Takes what the peer sent. The promise, if there is one, settles when there is room for more. */
  receive(bytes: Uint8Array, fin: boolean): Promise<void> | undefined {
    if (this.#isEndedThere || this.bytes.destroyed) return undefined;
    const hasRoom = bytes.length === 0 || this.bytes.push(bytes);
    if (fin) {
      this.#isEndedThere = true;
      this.bytes.push(null);
    }
    if (hasRoom || fin) return undefined;
    return new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  /** The peer or the connection is gone: what has arrived can still be read, and nothing can be written. */
  cut(): void {
    if (this.#isCut) return;
    this.#isCut = true;
    this.#makeRoom();
    if (this.bytes.readableEnded) {
      this.bytes.destroy();
      return;
    }
    this.bytes.once('end', () => this.bytes.destroy());
    if (!this.#isEndedThere) this.bytes.push(null);
    this.#isEndedThere = true;
  }

  #write(chunk: Uint8Array, done: (error?: Error | null) => void): void {
    if (this.#isCut) {
      done(new Error('Cannot write to the stream: the other side has reset it'));
      return;
    }
    for (let start = 0; start < chunk.length || start === 0; start += frameBytes) {
      const bytes = chunk.subarray(start, start + frameBytes);
      const isLast = start + frameBytes >= chunk.length;
      const frame = { type: 'data', streamId: this.id, bytes, fin: false } as const;
      this.#wire.send(frame, isLast ? done : undefined);
    }
  }

  #finish(done: (error?: Error | null) => void): void {
    this.#isEndedHere = true;
    const last = { type: 'data', streamId: this.id, bytes: new Uint8Array(), fin: true } as const;
    if (this.#isCut) done();
    else this.#wire.send(last, done);
  }

  #leave(): void {
    this.#makeRoom();
    const isOver = this.#isCut || (this.#isEndedHere && this.#isEndedThere);
    if (!isOver) this.#wire.send({ type: 'rst-stream', streamId: this.id, status: cancelled });
    this.#wire.forget(this.id);
  }
}
