import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createCertificateAuthority } from './real-cluster/certificate-authority.ts';

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

  constructor(server: Server) {
    this.#server = server;
    server.on('request', ({ url }, response) => {
      this.#logs.add(response);
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(`${url}\n`);
    });
    server.on('upgrade', (request, socket) => {
      this.#streams.add(socket);
      const protocol = request.headers.upgrade;
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`,
      );
      socket.on('error', () => socket.destroy()).pipe(socket);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** Adds to every log that is being followed. */
  say(text: string): void {
    for (const log of this.#logs) log.write(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
