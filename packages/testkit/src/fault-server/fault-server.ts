import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, InProcessServer } from '@liqo/kube';
import { systemClock } from '@liqo/runtime';
import { actOnCall } from '../faults/act-on-call.ts';
import { type ApiCall, CallReader } from '../faults/api-call.ts';
import { FaultScript } from '../faults/fault-script.ts';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  type KeyPair,
} from '../real-cluster/certificate-authority.ts';
import { FaultyExchange, type Incoming, type Outgoing } from './faulty-exchange.ts';

export interface FaultServerOptions {
  /** Who knows the answers. */
  readonly serve: InProcessServer;
  /** For faults that take time; the machine's when absent. */
  readonly clock?: Clock;
  /** `http` is HTTP/1.1 without TLS. */
  readonly speaks?: 'h2 and http/1.1' | 'h2' | 'http/1.1' | 'http';
  readonly maxConcurrentStreams?: number;
  /** Signs the server's certificate; made on the spot when absent. */
  readonly authority?: CertificateAuthority;
  /** In place of one for `127.0.0.1` and `localhost` that the authority signed. */
  readonly certificate?: KeyPair;
  /** Demands a client certificate that this authority signed. */
  readonly clientAuthority?: string;
  /** What to do with a request to switch protocols. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** A server over real sockets on this machine, with TLS, whose answers go wrong as planned. */
export async function startFaultServer(options: FaultServerOptions): Promise<FaultServer> {
  const authority = options.authority ?? (await createCertificateAuthority('fault-authority'));
  const certificate =
    options.certificate ??
    (await authority.issueServer('fault-server', ['127.0.0.1', 'localhost']));
  const server = new FaultServer(options, certificate, authority.certificate);
  await server.listen();
  return server;
}

export class FaultServer implements AsyncDisposable {
  readonly script = new FaultScript();
  /** Everything that was asked, in order. */
  readonly requests: ApiCall[] = [];
  /** PEM of the authority to trust. */
  readonly authority: string;
  readonly #serve: InProcessServer;
  readonly #clock: Clock;
  readonly #reader = new CallReader();
  readonly #scheme: 'http' | 'https';
  readonly #server: Server;
  readonly #sockets = new Map<number | undefined, Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #connectionsOpened = 0;
  #openRequests = 0;

  constructor(options: FaultServerOptions, certificate: KeyPair, authority: string) {
    this.authority = authority;
    this.#serve = options.serve;
    this.#clock = options.clock ?? systemClock;
    this.#scheme = options.speaks === 'http' ? 'http' : 'https';
    this.#server = createServer(options, certificate);
    this.#server.on('connection', (socket: Socket) => this.#accept(socket));
    this.#server.on('session', (session: ServerHttp2Session) => this.#keepSession(session));
    this.#server.on('request', (incoming: Incoming, outgoing: Outgoing) => {
      void this.#handle(incoming, outgoing);
    });
    if (options.onUpgrade) this.#server.on('upgrade', options.onUpgrade);
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): URL {
    return new URL(`${this.#scheme}://127.0.0.1:${this.port}`);
  }

  /** TCP connections, ever. */
  get connectionsOpened(): number {
    return this.#connectionsOpened;
  }

  get openConnections(): number {
    return this.#sockets.size;
  }

  /** Requests whose answer is not complete: streams, with HTTP/2. */
  get openRequests(): number {
    return this.#openRequests;
  }

  /** Tells every HTTP/2 client to go away once what it has open is done. */
  goAway(): void {
    for (const session of this.#sessions) session.close();
  }

  /** Resets every TCP connection. */
  resetConnections(): void {
    for (const socket of this.#sockets.values()) socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets.values()) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#connectionsOpened += 1;
    const { remotePort } = socket.setNoDelay(true);
    this.#sockets.set(remotePort, socket);
    // A client that goes away is what this server is for; `close` follows.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(remotePort));
  }

  #keepSession(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.once('close', () => this.#sessions.delete(session));
  }

  async #handle(incoming: Incoming, outgoing: Outgoing): Promise<void> {
    this.#openRequests += 1;
    outgoing.once('close', () => {
      this.#openRequests -= 1;
    });
    const socket = this.#sockets.get(incoming.socket.remotePort);
    const exchange = new FaultyExchange(incoming, outgoing, socket);
    const request = await exchange.readRequest().catch(() => undefined);
    if (!request || exchange.closed.aborted) return;
    const call = this.#reader.read('', request);
    this.requests.push(call);
    const fault = this.script.plan(call) ?? {};
    const [clock, serve, signal] = [this.#clock, this.#serve, exchange.closed];
    try {
      const answer = await actOnCall(fault, { request, signal, serve, clock });
      await exchange.answer(answer, fault, clock);
    } catch {
      // Whoever knows the answers has none, or the client is gone: there is nothing to say.
      exchange.close();
    }
  }
}

function createServer(options: FaultServerOptions, { certificate, privateKey }: KeyPair): Server {
  const tls = {
    cert: certificate,
    key: privateKey,
    ...(options.clientAuthority && { ca: options.clientAuthority, requestCert: true }),
  };
  const { maxConcurrentStreams } = options;
  const settings = maxConcurrentStreams === undefined ? {} : { maxConcurrentStreams };
  const http2 = { ...tls, settings, maxSessionMemory: 1_000 };
  switch (options.speaks ?? 'h2 and http/1.1') {
    case 'h2 and http/1.1':
      return createSecureServer({ ...http2, allowHTTP1: true });
    case 'h2':
      return createSecureServer(http2);
    case 'http/1.1':
      return createHttpsServer(tls);
    case 'http':
      return createHttpServer();
  }
}
