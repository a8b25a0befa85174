import type { Duplex } from 'node:stream';
import type { Frame, SpdyHeaders } from './frame.ts';
import { FrameDecoder } from './frame-decoder.ts';
import { FrameEncoder } from './frame-encoder.ts';
import { SpdyStream } from './spdy-stream.ts';

export interface SessionOptions {
  /** Clients open streams with odd numbers, servers with even ones. */
  readonly role: 'client' | 'server';
  /** Takes a stream that the peer opens; throws to refuse it. */
  onStream?(stream: SpdyStream): void;
}

const protocolError = 1;
const refusedStream = 3;
const noHeaders: SpdyHeaders = new Map();

interface Opening {
  readonly stream: SpdyStream;
  resolve(stream: SpdyStream): void;
  reject(error: Error): void;
}

/**
 * SPDY/3.1 as Kubernetes speaks it, on a connection that was switched to it. There are no windows: the library on the other
 * side neither sends nor heeds WINDOW_UPDATE. What holds a fast sender back is the connection, which is not read while a
 * stream has more than its reader wants; one slow reader so holds up all streams, here as there.
 */
export class SpdySession {
  /** Settles when the connection is over, however it ended. */
  readonly closed: Promise<void>;
  readonly #connection: Duplex;
  readonly #options: SessionOptions;
  readonly #encoder = new FrameEncoder();
  readonly #decoder = new FrameDecoder();
  readonly #streams = new Map<number, SpdyStream>();
  readonly #opening = new Map<number, Opening>();
  #nextId: number;
  #lastPeerId = 0;
  #isClosing = false;

  constructor(connection: Duplex, options: SessionOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#nextId = options.role === 'client' ? 1 : 2;
    connection.on('error', () => connection.destroy());
    this.closed = this.#readAll();
  }

  /** Resolves when the peer has accepted the stream: what is written earlier, it would drop. */
  open(headers: SpdyHeaders): Promise<SpdyStream> {
    const stream = new SpdyStream(this.#wire(), this.#nextId, headers);
    this.#nextId += 2;
    return new Promise((resolve, reject) => {
      this.#streams.set(stream.id, stream);
      this.#opening.set(stream.id, { stream, resolve, reject });
      this.#send({ type: 'syn-stream', streamId: stream.id, headers, fin: false }, (error) => {
        if (error) this.#refused(stream.id, error);
      });
    });
  }

  /** Says goodbye and ends the connection once all that was written has gone. Streams that are still open are cut. */
  close(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#send({ type: 'goaway', lastStreamId: this.#lastPeerId, status: 0 });
    this.#connection.end();
    this.#cutAll();
  }

  destroy(): void {
    this.#connection.destroy();
  }

  /** What comes after the goodbye is read and dropped: a connection that is closed with bytes unread loses those sent. */
  async #readAll(): Promise<void> {
    try {
      for await (const chunk of this.#connection.iterator({ destroyOnReturn: false })) {
        if (this.#isClosing) continue;
        for (const frame of this.#decoder.push(chunk)) await this.#receive(frame);
      }
      this.#connection.end();
    } catch {
      // Bytes that mean nothing, or a connection that broke: either way, it is over.
      this.#connection.destroy();
    }
    this.#cutAll();
  }

  #receive(frame: Frame): Promise<void> | undefined {
    switch (frame.type) {
      case 'data':
        return this.#streams.get(frame.streamId)?.receive(frame.bytes, frame.fin);
      case 'syn-stream':
        return this.#accept(frame.streamId, frame.headers, frame.fin);
      case 'syn-reply':
        return this.#accepted(frame.streamId, frame.fin);
      case 'rst-stream':
        return this.#reset(frame.streamId);
      case 'ping':
        return this.#answerPing(frame);
      default:
        return undefined;
    }
  }

  #accept(id: number, headers: SpdyHeaders, fin: boolean): undefined {
    const isPeers = id % 2 !== this.#nextId % 2;
    if (!isPeers || id <= this.#lastPeerId) {
      this.#send({ type: 'rst-stream', streamId: id, status: protocolError });
      return;
    }
    this.#lastPeerId = id;
    const stream = new SpdyStream(this.#wire(), id, headers);
    try {
      this.#options.onStream?.(stream);
    } catch {
      this.#send({ type: 'rst-stream', streamId: id, status: refusedStream });
      return;
    }
    this.#streams.set(id, stream);
    this.#send({ type: 'syn-reply', streamId: id, headers: noHeaders, fin: false });
    if (fin) void stream.receive(new Uint8Array(), true);
  }

  #accepted(id: number, fin: boolean): undefined {
    const opening = this.#opening.get(id);
    this.#opening.delete(id);
    opening?.resolve(opening.stream);
    if (fin) void opening?.stream.receive(new Uint8Array(), true);
  }

  #reset(id: number): undefined {
    this.#refused(id, new Error('Cannot open the stream: the other side refused it'));
    this.#streams.get(id)?.cut();
  }

  #refused(id: number, error: Error): void {
    this.#opening.get(id)?.reject(error);
    this.#opening.delete(id);
  }

  /** Waits until it is sent, so that nobody can make answers pile up. */
  #answerPing(frame: Frame & { readonly type: 'ping' }): Promise<void> | undefined {
    if (frame.id % 2 === this.#nextId % 2) return undefined;
    return new Promise((resolve) => this.#send(frame, () => resolve()));
  }

  #cutAll(): void {
    for (const stream of this.#streams.values()) stream.cut();
    for (const id of this.#opening.keys()) {
      this.#refused(id, new Error('Cannot open the stream: the connection is closed'));
    }
  }

  #wire() {
    return {
      send: (frame: Frame, done?: (error?: Error | null) => void) => this.#send(frame, done),
      forget: (id: number) => void this.#streams.delete(id),
    };
  }

  #send(frame: Frame, done: (error?: Error | null) => void = () => undefined): void {
    if (this.#connection.writable) this.#connection.write(this.#encoder.encode(frame), done);
    else done(new Error('Cannot write to the connection: it is closed'));
  }
}
