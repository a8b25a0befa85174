import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { Clock, Timer } from '../clock.ts';
import {
  TransportClosedError,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../transport.ts';
import { type BodyOutcome, collectText } from './collect-text.ts';

/** Large enough that a list of pods is not slowed down by waiting for window updates. */
const windowBytes = 4 * 1024 * 1024;
/** For servers that do not say how many they allow. */
const assumedMaxStreams = 100;
/**
 * A peer that has been silent from one look to the next is pinged, and has ten seconds to answer: busy is not gone. Longer than
 * fifteen in all, and what the kernel sends again after a break comes too late to be of use.
 */
const lookEveryMs = 2_500;
const mostSilentLooks = 5;
const settingsTimeoutMs = 15_000;

/** Stream numbers are odd and have 31 bits: after as many requests a connection is used up. */
const maxRequestsPerSession = 2 ** 30 - 1;

export interface Http2SessionOptions {
  readonly socket: TLSSocket;
  /** For the `:authority` of requests. */
  readonly origin: string;
  readonly clock: Clock;
  readonly maxRequests?: number;
}

/**
 * One HTTP/2 connection: many requests at a time on one socket. While requests are open a silent peer is pinged, so that
 * one that is gone without a word is noticed within 15 seconds, and with it every open watch. Whatever comes is a sign of
 * life: on a slow link the answer to a ping waits behind what was sent before it.
 */
export class Http2Session {
  readonly #socket: TLSSocket;
  readonly #session: ClientHttp2Session;
  readonly #clock: Clock;
  #requestsLeft: number;
  #open = 0;
  #ready = false;
  #retired = false;
  #closed = false;
  #watch: Timer | undefined;
  #error: unknown;

  constructor({ socket, origin, clock, maxRequests = maxRequestsPerSession }: Http2SessionOptions) {
    this.#socket = socket;
    this.#clock = clock;
    this.#requestsLeft = maxRequests;
    // Left alone, a socket whose TLS failed after the handshake stays open, and the session waits for it for ever.
    socket.on('error', (error) => this.#fail(error));
    this.#session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: windowBytes },
      maxSessionMemory: 256,
    });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(4 * windowBytes));
    this.#session.on('goaway', () => {
      this.#retired = true;
    });
    // Its streams report what went wrong to whoever waits on them.
    this.#session.on('error', (error) => this.#fail(error));
    this.#session.once('close', () => {
      this.#closed = true;
      this.#watch?.cancel();
    });
  }

  /** Whether it takes further requests, if it has room for them. */
  get usable(): boolean {
    const { closed, destroyed } = this.#session;
    return this.#ready && !this.#retired && this.#requestsLeft > 0 && !closed && !destroyed;
  }

  get hasRoom(): boolean {
    return this.#open < (this.#session.remoteSettings.maxConcurrentStreams ?? assumedMaxStreams);
  }

  /** Nothing of it is left. */
  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Resolves when the server has said how many streams it takes. A request beyond that would wait unsent for another to
   * end, and a watch does not end.
   */
  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(settingsTimeoutMs, () => {
        void this.destroy(new Error(`no HTTP/2 settings within ${settingsTimeoutMs / 1000} s`));
      });
      this.#session.once('remoteSettings', () => {
        this.#ready = true;
        timer.cancel();
        resolve();
      });
      this.#session.once('close', () => {
        timer.cancel();
        reject(this.#error ?? new Error('the server closed the connection'));
      });
    });
  }

  async send(
    request: TransportRequest,
    credentials: Readonly<Record<string, string | string[]>>,
    signal: AbortSignal | undefined,
  ): Promise<TransportResponse> {
    request.beforeSending?.();
    const stream = this.#request(request, credentials);
    const outcome = new StreamOutcome(stream, signal);
    return new Promise((resolve, reject) => {
      let answered = false;
      stream.once('response', (answer) => {
        answered = true;
        resolve(new Http2Response(stream, answer, outcome));
      });
      stream.once('close', () => {
        this.#open -= 1;
        outcome.detach();
        if (!answered) reject(outcome.failure());
      });
    });
  }

  /** Takes no further requests; what is open may end by itself. */
  retire(): void {
    this.#retired = true;
    void afterReceiving(() => this.#session.close());
  }

  /** Takes no further requests, and ends everything that is open with this reason. */
  destroy(reason: Error): Promise<void> {
    this.#retired = true;
    return afterReceiving(() => {
      this.#session.destroy(reason);
      // By itself the session would wait for a peer that may be gone.
      this.#socket.destroy();
    });
  }

  #fail(error: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #request(
    { method, path, body, headers }: TransportRequest,
    credentials: Readonly<Record<string, string | string[]>>,
  ): ClientHttp2Stream {
    const endStream = body === undefined;
    // Node ends the request of a DELETE by itself unless told otherwise, and a DELETE may carry options.
    const stream = this.#session.request(
      { ':method': method, ':path': path, ...headers, ...credentials },
      { endStream },
    );
    this.#open += 1;
    this.#requestsLeft -= 1;
    this.#watchOver();
    if (!endStream) stream.end(body);
    return stream;
  }

  #watchOver(): void {
    if (!this.#watch) this.#lookLater(0);
  }

  #lookLater(silentLooks: number): void {
    const { bytesRead } = this.#socket;
    this.#watch = this.#clock.after(lookEveryMs, () => {
      this.#watch = undefined;
      if (this.#open === 0 || this.#session.destroyed) return;
      this.#look(this.#socket.bytesRead === bytesRead ? silentLooks + 1 : 0);
    });
  }

  #look(silentLooks: number): void {
    if (silentLooks === mostSilentLooks) {
      void this.destroy(new Error('the server does not answer pings'));
      return;
    }
    // What comes back is a sign of life like any other.
    if (silentLooks === 1) this.#session.ping(ignoreError);
    this.#lookLater(silentLooks);
  }
}

function ignoreError(): void {}

/**
 * Node runs promise callbacks while nghttp2 is still receiving: it holds the stream that the received frame belongs to.
 * Closing a session sends what is queued, which frees streams that were reset, and nghttp2 would go on with freed memory.
 */
function afterReceiving(act: () => void): Promise<void> {
  return nextTurn().then(act);
}

/** Whether a stream came to its proper end and, if not, why, in the words of the transport. */
class StreamOutcome implements BodyOutcome {
  readonly #stream: ClientHttp2Stream;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort = () => this.cancel();

  constructor(stream: ClientHttp2Stream, signal: AbortSignal | undefined) {
    this.#stream = stream;
    this.#signal = signal;
    // Whoever waits on the stream is told by its close.
    stream.on('error', ignoreError);
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  /** Wants no more of the stream. This code, and no other, Node keeps back while nghttp2 is receiving (`afterReceiving`). */
  cancel(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#stream.destroy();
  }

  /** The stream is closed: the signal, which may live on for long, has nothing to do with it any more. */
  detach(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  /** Meaningful once the stream has ended: one that was cut off has a code that says why. */
  isWhole(): boolean {
    return this.#stream.rstCode === constants.NGHTTP2_NO_ERROR;
  }

  failure(): unknown {
    if (this.#signal?.aborted) return this.#signal.reason;
    const { errored: cause, rstCode } = this.#stream;
    if (cause instanceof TransportClosedError) return cause;
    // A refused stream was not looked at: RFC 9113, section 8.7.
    const sent = rstCode !== constants.NGHTTP2_REFUSED_STREAM;
    const message = `The connection ended before the answer was complete${cause ? `: ${cause.message}` : ''}`;
    return new TransportError(message, { sent, cause });
  }
}

class Http2Response implements TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #stream: ClientHttp2Stream;
  readonly #outcome: StreamOutcome;

  constructor(stream: ClientHttp2Stream, headers: IncomingHttpHeaders, outcome: StreamOutcome) {
    this.status = Number(headers[':status']);
    this.headers = headers as Record<string, string>;
    this.#stream = stream;
    this.#outcome = outcome;
  }

  text(): Promise<string> {
    return collectText(this.#stream, this.#outcome);
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    let ended = false;
    try {
      for await (const chunk of this.#stream.iterator({ destroyOnReturn: false })) yield chunk;
      ended = true;
    } catch {
      throw this.#outcome.failure();
    } finally {
      if (!ended) this.discard();
    }
    if (!this.#outcome.isWhole()) throw this.#outcome.failure();
  }

  discard(): void {
    this.#outcome.cancel();
  }
}
