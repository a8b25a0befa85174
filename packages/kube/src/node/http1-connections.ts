import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  TransportClosedError,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '../transport.ts';
import { collectText } from './collect-text.ts';
import { failureReason } from './failure-reason.ts';

type Headers = Readonly<Record<string, string>>;
/** A list is a header sent several times. */
type RequestHeaders = Readonly<Record<string, string | string[]>>;

/** HTTP/1.1 over kept-alive connections, for servers and proxies that speak nothing newer, and for every upgrade. */
export class Http1Connections {
  readonly #dial: (signal?: AbortSignal) => Promise<Socket>;
  readonly #host: string;
  readonly #sockets = new Set<Socket>();
  #agent: Agent;

  constructor(dial: (signal?: AbortSignal) => Promise<Socket>, host: string) {
    this.#dial = dial;
    this.#host = host;
    this.#agent = this.#newAgent();
  }

  send(
    request: TransportRequest,
    credentials: RequestHeaders,
    signal?: AbortSignal,
  ): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#request(request, credentials, { agent: this.#agent, signal });
      outgoing.once('response', (incoming) => resolve(new Http1Response(incoming, signal)));
      outgoing.once('error', (error) => reject(failureOf(error, signal)));
      outgoing.end(request.body);
    });
  }

  /** On a connection of its own, which then belongs to the caller. */
  async upgrade(
    request: TransportRequest,
    credentials: RequestHeaders,
    signal?: AbortSignal,
  ): Promise<Http1Upgrade | TransportResponse> {
    const socket = await this.#open(signal);
    const connection = { createConnection: () => socket, signal };
    return new Promise<Http1Upgrade | TransportResponse>((resolve, reject) => {
      const outgoing = this.#request(request, credentials, connection);
      outgoing.once('upgrade', (incoming, stream: Duplex, head) => {
        if (head.length > 0) stream.unshift(head);
        resolve({ status: 101, headers: incoming.headers as Record<string, string>, stream });
      });
      outgoing.once('response', (incoming) => {
        incoming.once('close', () => socket.destroy());
        resolve(new Http1Response(incoming, signal));
      });
      outgoing.once('error', (error) => reject(failureOf(error, signal)));
      outgoing.end(request.body);
    }).catch((error) => {
      socket.destroy();
      throw error;
    });
  }

  /** Further requests go over new connections; what is open may end by itself. */
  renew(): void {
    const old = this.#agent;
    this.#agent = this.#newAgent();
    Object.assign(old, { keepAlive: false });
    for (const sockets of Object.values(old.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy();
    }
  }

  /** Ends everything that is open, switched connections too. */
  destroy(reason: Error): void {
    for (const socket of this.#sockets) socket.destroy(reason);
    this.#agent.destroy();
  }

  #newAgent(): Agent {
    return Object.assign(new Agent({ keepAlive: true }), {
      createConnection: (_: unknown, opened: (error: unknown, socket?: Socket) => void) => {
        this.#open().then((socket) => opened(null, socket), opened);
      },
    });
  }

  async #open(signal?: AbortSignal): Promise<Socket> {
    const socket = await this.#dial(signal);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Whoever waits on it is told. A switched connection that nobody reads just now must not end the process.
    socket.on('error', () => undefined);
    return socket;
  }

  #request(
    { method, path, body, headers, beforeSending }: TransportRequest,
    credentials: RequestHeaders,
    options: { agent?: Agent; createConnection?: () => Socket; signal: AbortSignal | undefined },
  ): ClientRequest {
    const { signal, ...connection } = options;
    // Without a length Node sends the body of a DELETE, but not that there is one.
    const length = body !== undefined && { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = httpRequest({
      ...connection,
      ...(signal && { signal }),
      method,
      path,
      headers: { host: this.#host, ...headers, ...credentials, ...length },
    });
    // Node writes the request to its socket after this event, and not at all to one that was destroyed.
    if (beforeSending) outgoing.once('socket', () => keepBackIfThrown(outgoing, beforeSending));
    return outgoing;
  }
}

function keepBackIfThrown(outgoing: ClientRequest, beforeSending: () => void): void {
  try {
    beforeSending();
  } catch (error) {
    outgoing.destroy(new KeptBackError(error));
  }
}

/** Carries what `beforeSending` threw through Node's events, which take nothing but an `Error`. */
class KeptBackError extends Error {
  override readonly name = 'KeptBackError';

  constructor(cause: unknown) {
    super('The request was kept back', { cause });
  }
}

export interface Http1Upgrade {
  readonly status: 101;
  readonly headers: Headers;
  readonly stream: Duplex;
}

class Http1Response implements TransportResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly #incoming: IncomingMessage;
  readonly #signal: AbortSignal | undefined;

  constructor(incoming: IncomingMessage, signal: AbortSignal | undefined) {
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers as Record<string, string>;
    this.#incoming = incoming;
    this.#signal = signal;
    // Whoever waits on the body is told by its close.
    incoming.on('error', () => undefined);
  }

  text(): Promise<string> {
    return collectText(this.#incoming, {
      isWhole: () => this.#incoming.complete,
      failure: () => failureOf(this.#incoming.errored, this.#signal),
      cancel: () => this.discard(),
    });
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#incoming) yield chunk;
    } catch (error) {
      throw failureOf(error, this.#signal);
    }
  }

  discard(): void {
    this.#incoming.destroy();
  }
}

function failureOf(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (cause instanceof KeptBackError) return cause.cause;
  if (signal?.aborted) return signal.reason;
  if (cause instanceof TransportError || cause instanceof TransportClosedError) return cause;
  const detail = cause ? `: ${failureReason(cause)}` : '';
  return new TransportError(`The connection ended before the answer was complete${detail}`, {
    sent: true,
    cause,
  });
}
