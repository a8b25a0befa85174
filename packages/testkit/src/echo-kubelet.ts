import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createCertificateAuthority } from './real-cluster/certificate-authority.ts';

/** A request as a kubelet sees it. */
export type SeenRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * A kubelet as an API server sees one, for tests of what the API server does with it: a log that begins with the path
 * that was asked for, and streams that send back every byte.
 */
export async function startEchoKubelet(): Promise<EchoKubelet> {
  const authority = await createCertificateAuthority('echo-kubelet');
  const { certificate, privateKey } = await authority.issueServer('echo-kubelet', ['127.0.0.1']);
  const kubelet = new EchoKubelet(createServer({ cert: certificate, key: privateKey }));
  await kubelet.listen();
  return kubelet;
}

export class EchoKubelet implements AsyncDisposable {
  readonly #server: Server;
  readonly #logs = new Set<ServerResponse>();
  readonly #streams = new Set<Duplex>();
  readonly #switched: SeenRequest[] = [];
  #refusal: string | undefined;

  constructor(server: Server) {
    this.#server = server;
    server.on('request', ({ url }, response) => {
      this.#logs.add(response);
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(`${url}\n`);
    });
    server.on('upgrade', (request, socket) => this.#switch(request, socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The requests to switch protocols, in the order in which they came. */
  get switched(): readonly SeenRequest[] {
    return this.#switched;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** Adds to every log that is being followed. */
  say(text: string): void {
    for (const log of this.#logs) log.write(text);
  }

  /** From now on it switches to nothing, and says why. */
  refuseStreams(why: string): void {
    this.#refusal = why;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #switch({ method, url, headers }: IncomingMessage, socket: Duplex): void {
    this.#streams.add(socket);
    this.#switched.push({ method, url, headers });
    socket.on('error', () => socket.destroy());
    if (this.#refusal !== undefined) {
      const length = Buffer.byteLength(this.#refusal);
      const head = `HTTP/1.1 500 Internal Server Error\r\nContent-Length: ${length}`;
      socket.end(`${head}\r\nContent-Type: text/plain\r\n\r\n${this.#refusal}`);
      return;
    }
    const lines = [
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      `Upgrade: ${headers.upgrade}`,
      `X-Stream-Protocol-Version: ${firstOf(headers['x-stream-protocol-version'])}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.pipe(socket);
  }
}

function firstOf(offers: string | readonly string[] = ''): string {
  return String(offers).split(',')[0] ?? '';
}
