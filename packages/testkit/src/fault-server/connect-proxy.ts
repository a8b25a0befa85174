import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ConnectProxyOptions {
  /** Refuses every tunnel with this status. */
  readonly refuseWith?: number;
  /** `name:password` that must come with every request. */
  readonly credentials?: string;
  /** Takes every connection and never answers. */
  readonly silent?: boolean;
}

export async function startConnectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const server = createServer();
  const proxy = new ConnectProxy(server, options);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return proxy;
}

/** An HTTP proxy that knows nothing but CONNECT. */
export class ConnectProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #options: ConnectProxyOptions;
  readonly #ends = new Set<Duplex>();
  /** The targets that were asked for. */
  readonly tunnels: string[] = [];

  constructor(server: Server, options: ConnectProxyOptions) {
    this.#server = server;
    this.#options = options;
    server.on('connect', (request, client) => this.#connect(request, client));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get openTunnels(): number {
    return this.#ends.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const end of this.#ends) end.destroy();
    await closed;
  }

  #connect(request: IncomingMessage, client: Duplex): void {
    this.#keep(client);
    this.tunnels.push(request.url ?? '');
    if (this.#options.silent) return void client.resume().once('end', () => client.end());
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = new URL(`http://${request.url}`);
    const far = connect({ port: Number(target.port), host: target.hostname }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(far).pipe(client);
    });
    this.#keep(far);
    far.once('close', () => client.destroy());
    client.once('close', () => far.destroy());
  }

  #refusalOf({ headers }: IncomingMessage): number | undefined {
    const { credentials, refuseWith } = this.#options;
    if (credentials === undefined) return refuseWith;
    const expected = `Basic ${Buffer.from(credentials).toString('base64')}`;
    return headers['proxy-authorization'] === expected ? refuseWith : 407;
  }

  #keep(end: Duplex): void {
    this.#ends.add(end);
    // The other end learns of it by the close.
    end.on('error', () => undefined).once('close', () => this.#ends.delete(end));
  }
}
