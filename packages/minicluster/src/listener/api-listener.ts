import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { readHeaders } from '../auth/repeated-headers.ts';
import type { User } from '../auth/user.ts';
import { type RequestHandler, textOf } from '../intercept-calls.ts';
import type { ApiAnswer } from '../rest/api-request.ts';

const noBytes = new Uint8Array();
/** As much as a real API server reads of a request line and headers. */
const maxHeaderBytes = 1024 * 1024;

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

export interface ListenerOptions {
  readonly server: RequestHandler;
  /** PEM: the serving certificate, its key, and the authority whose client certificates are believed. */
  readonly certificate: string;
  readonly privateKey: string;
  readonly clientAuthority: string;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  userOfCertificate(certificate: X509Certificate): User | undefined;
}

/** The API server on the network: HTTP/1.1 and HTTP/2 on one TLS port. */
export class ApiListener implements AsyncDisposable {
  readonly #options: ListenerOptions;
  readonly #http: Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#http = createSecureServer({
      cert: options.certificate,
      key: options.privateKey,
      ca: options.clientAuthority,
      allowHTTP1: true,
      requestCert: true,
      // Whoever has no certificate may still have a token.
      rejectUnauthorized: false,
    });
    // Not an option of servers that speak HTTP/2 as well, though those for HTTP/1.1 look for it there.
    Object.assign(this.#http, { maxHeaderSize: maxHeaderBytes });
    this.#http.on('request', (incoming, outgoing) => void this.#serve(incoming, outgoing));
    this.#http.on(
      'upgrade',
      (incoming, socket, head) => void this.#upgrade(incoming, socket, head),
    );
    this.#http.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#http.on('secureConnection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  listen(): Promise<void> {
    const { port, host } = this.#options;
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen(port, host, () => {
        this.#http.off('error', reject);
        resolve();
      });
    });
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#http.close(resolve));
    // Whoever closes may have been woken while nghttp2 receives for a session, which must not end before that is over.
    await nextTurn();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #serve(incoming: Incoming, outgoing: Outgoing): Promise<void> {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    try {
      const body = await readBody(incoming);
      await send(await this.#answer(incoming, body, gone.signal), outgoing, gone.signal);
    } catch {
      // The client is gone, or its request broke off: there is nobody to tell.
      setImmediate(() => outgoing.destroy());
    }
  }

  /** The two connections are one from here on: bytes pass in both directions until either side ends. */
  async #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const gone = new AbortController();
    socket.once('close', () => gone.abort()).on('error', () => socket.destroy());
    const answer = await this.#answer(incoming, noBytes, gone.signal).catch(() => undefined);
    // It broke off: there is nobody to tell.
    if (!answer) return void socket.destroy();
    socket.write(responseHead(answer));
    const inner = answer.upgraded as Duplex | undefined;
    if (!inner) {
      socket.end(textOf(answer.body));
      return;
    }
    inner.on('error', () => socket.destroy()).once('close', () => socket.destroy());
    socket.once('close', () => inner.destroy());
    if (head.length > 0) inner.write(head);
    socket.pipe(inner).pipe(socket);
  }

  #answer(incoming: Incoming, body: Uint8Array, signal: AbortSignal): Promise<ApiAnswer> {
    return this.#options.server.handle({
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: readHeaders(incoming.rawHeaders),
      body,
      signal,
      peer: this.#peerOf(incoming),
      remoteAddress: incoming.socket.remoteAddress,
    });
  }

  #peerOf(incoming: Incoming): User | undefined {
    const socket = 'stream' in incoming ? incoming.stream.session?.socket : incoming.socket;
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
    const certificate = socket.getPeerX509Certificate();
    return certificate && this.#options.userOfCertificate(certificate);
  }
}

async function readBody(incoming: Incoming): Promise<Uint8Array> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return noBytes;
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Streams are sent at the pace at which the client reads. */
async function send(answer: ApiAnswer, outgoing: Outgoing, signal: AbortSignal): Promise<void> {
  const { status, headers = {}, body, stream } = answer;
  const type = body === undefined && !stream ? {} : { 'content-type': 'application/json' };
  outgoing.writeHead(status, { ...type, ...headers });
  if (!stream) {
    outgoing.end(textOf(body));
    return;
  }
  flushHeaders(outgoing);
  for await (const chunk of stream) {
    if (signal.aborted) return;
    if (!write(outgoing, chunk)) await drained(outgoing, signal);
  }
  outgoing.end();
}

/** A watcher wants to know that it watches before anything happens. */
function flushHeaders(outgoing: Outgoing): void {
  if ('flushHeaders' in outgoing) outgoing.flushHeaders();
}

function write(outgoing: Outgoing, chunk: Uint8Array): boolean {
  return (outgoing as NodeJS.WritableStream).write(chunk);
}

function drained(outgoing: Outgoing, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      outgoing.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    outgoing.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

function responseHead({ status, headers = {} }: ApiAnswer): string {
  const reason = status === 101 ? 'Switching Protocols' : 'Refused';
  const type = { 'content-type': 'application/json' };
  const close = { connection: 'close' };
  const all = status === 101 ? headers : { ...type, ...headers, ...close };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n`;
}
