import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { abortSignalOf, type CallSignal } from '../call-signal.ts';
import type { Clock } from '../clock.ts';
import {
  type ReplaceableCredentials,
  type Transport,
  TransportClosedError,
  type TransportRequest,
  type TransportResponse,
} from '../transport.ts';
import { unlessAborted } from '../unless-aborted.ts';
import { dial, unreachable } from './dial.ts';
import { failureReason } from './failure-reason.ts';
import { Http1Connections, type Http1Upgrade } from './http1-connections.ts';
import { Http2Session } from './http2-session.ts';
import type { Connection, ConnectionTls, RequestCredentials } from './kubeconfig/connection.ts';

/**
 * An API server over the network: HTTP/2 on as few connections as its limit of open streams allows (normally one),
 * HTTP/1.1 with kept-alive connections when the server or a proxy in between speaks nothing newer.
 *
 * A connection that broke, was told to go away or was opened with another client certificate than today's is not used
 * for further requests; the next one opens a new one.
 */
export class HttpTransport implements Transport {
  readonly host: string;
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #prefix: string;
  readonly #http1: Http1Connections;
  readonly #closing = new AbortController();
  /** Those that take no further requests but are still busy too. */
  #sessions: Http2Session[] = [];
  #generation = 0;
  #dialling: Promise<void> | undefined;
  #speaksHttp2: boolean;

  constructor(connection: Connection, clock: Clock) {
    this.host = connection.server.host;
    this.#connection = connection;
    this.#clock = clock;
    // However many connections are being opened: Node would take more than ten listeners for a leak.
    setMaxListeners(0, this.#closing.signal);
    this.#prefix = connection.server.pathname.replace(/\/$/, '');
    this.#speaksHttp2 = connection.server.protocol === 'https:';
    const dialHttp1 = async (signal?: AbortSignal) =>
      (await this.#dial(['http/1.1'], signal)).socket;
    this.#http1 = new Http1Connections(dialHttp1, connection.server.host);
  }

  get credentials(): ReplaceableCredentials | undefined {
    return isReplaceable(this.#connection) ? this.#connection : undefined;
  }

  send(request: TransportRequest, call?: CallSignal): Promise<TransportResponse> {
    const signal = call && abortSignalOf(call);
    return this.#authenticated(request, signal, async (dressed, headers) => {
      // Nothing may come between the look for room and the request that takes it.
      for (;;) {
        const session = this.#roomySession();
        if (session) return session.send(dressed, headers, signal);
        if (!this.#speaksHttp2) return this.#http1.send(dressed, headers, signal);
        signal?.throwIfAborted();
        await unlessAborted(this.#anotherSession(), signal);
      }
    });
  }

  upgrade(request: TransportRequest, call?: CallSignal): Promise<Http1Upgrade | TransportResponse> {
    const signal = call && abortSignalOf(call);
    return this.#authenticated(request, signal, (dressed, headers) =>
      this.#http1.upgrade(dressed, headers, signal),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new TransportClosedError();
    this.#closing.abort(closed);
    this.#http1.destroy(closed);
    await Promise.all(this.#sessions.map((session) => session.destroy(closed)));
  }

  /** Makes an exchange with today's credentials, and once more with new ones when the server says 401. */
  async #authenticated<R extends Http1Upgrade | TransportResponse>(
    request: TransportRequest,
    signal: AbortSignal | undefined,
    exchange: (request: TransportRequest, headers: Headers) => Promise<R>,
  ): Promise<R> {
    const prefixed = this.#prefixed(request);
    const attempt = (credentials: RequestCredentials) => exchange(prefixed, credentials.headers);
    const credentials = await this.#credentials(signal);
    const response = await attempt(credentials);
    if (response.status !== 401 || !('discard' in response)) return response;
    let isFinal = false;
    try {
      isFinal = !(await this.#connection.onUnauthorized(credentials, signal));
    } finally {
      if (!isFinal) response.discard();
    }
    return isFinal ? response : attempt(await this.#credentials(signal));
  }

  /** Today's credentials. Connections that prove another identity are retired: open requests end in peace on them. */
  async #credentials(signal: AbortSignal | undefined): Promise<RequestCredentials> {
    signal?.throwIfAborted();
    const credentials = await this.#connection.credentials(signal);
    if (credentials.tlsGeneration !== this.#generation) {
      this.#generation = credentials.tlsGeneration;
      for (const session of this.#sessions) session.retire();
      this.#http1.renew();
    }
    return credentials;
  }

  /** A server may live below a path, as behind a gateway that serves several clusters. */
  #prefixed(request: TransportRequest): TransportRequest {
    const prefix = this.#prefix;
    return prefix ? { ...request, path: prefix + request.path } : request;
  }

  #roomySession(): Http2Session | undefined {
    return this.#sessions.find((session) => session.usable && session.hasRoom);
  }

  /** Waiters share one dial; whoever finds the new session full again dials the next. */
  #anotherSession(): Promise<void> {
    this.#dialling ??= this.#openSession().finally(() => {
      this.#dialling = undefined;
    });
    return this.#dialling;
  }

  async #openSession(): Promise<void> {
    const { socket, generation } = await this.#dial(['h2', 'http/1.1']);
    if (!(socket instanceof TLSSocket) || socket.alpnProtocol !== 'h2') {
      this.#speaksHttp2 = false;
      socket.destroy();
      return;
    }
    const { origin } = this.#connection.server;
    const session = new Http2Session({ socket, origin, clock: this.#clock });
    this.#sessions = [...this.#sessions.filter(({ closed }) => !closed), session];
    const isOutdated = () => generation < this.#generation;
    await session.ready().catch((cause) => {
      this.#closing.signal.throwIfAborted();
      if (!isOutdated()) throw unreachable(this.#connection, failureReason(cause), cause);
    });
    // The identity was replaced meanwhile: whoever waits for a session dials again.
    if (isOutdated()) session.retire();
  }

  async #dial(
    alpn: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ socket: Socket; generation: number }> {
    this.#closing.signal.throwIfAborted();
    const { server, proxyUrl, reservedAddresses = 'allowed' } = this.#connection;
    const { generation, ...tls } = await this.#tls(signal);
    const signals = signal ? [this.#closing.signal, signal] : [this.#closing.signal];
    const target = { server, proxyUrl, reservedAddresses };
    const socket = await dial({ ...target, tls, alpn, clock: this.#clock, signals });
    return { socket, generation };
  }

  #tls(signal: AbortSignal | undefined): Promise<ConnectionTls> | { readonly generation: number } {
    if (this.#connection.server.protocol === 'https:') return this.#connection.tls(signal);
    return { generation: this.#generation };
  }
}

function isReplaceable(connection: Connection): connection is Connection & ReplaceableCredentials {
  return connection.replaceWith !== undefined;
}

type Headers = RequestCredentials['headers'];
