import type { Server as SecureServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Logger } from '@liqo/runtime';
import type { KeyPair } from './certificate/key-pair.ts';

export interface FrontDoorOptions {
  /** Goes on with whoever is let in. It does not listen itself. */
  readonly inside: SecureServer;
  /** What the node proves itself with at this moment; asked for every caller, and not before the first one. */
  readonly keys: () => Promise<KeyPair>;
  readonly log: Logger;
}

/** How often the kernel asks a silent peer whether it is still there. */
const keepAliveMs = 15_000;

/**
 * Where callers of a node come in. They wait, unread, until there is a certificate to serve them with, so that none needs
 * to be there before the first one comes.
 */
export class FrontDoor implements AsyncDisposable {
  readonly #options: FrontDoorOptions;
  readonly #listener: Server;
  readonly #sockets = new Set<Socket>();
  #shown: KeyPair | undefined;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
    this.#listener = createServer({
      pauseOnConnect: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveMs,
    });
    this.#listener.on('connection', (socket: Socket) => void this.#receive(socket));
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  /** How many peers are connected, those who wait among them. */
  get connections(): number {
    return this.#sockets.size;
  }

  listen(where: { readonly host?: string; readonly port: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#listener.on('error', reject);
      this.#listener.listen(where, () => {
        // From then on an HTTP server ends requests that take too long to arrive.
        this.#options.inside.emit('listening');
        resolve();
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#listener.close(resolve));
    this.#options.inside.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #receive(socket: Socket): Promise<void> {
    this.#track(socket);
    try {
      this.#show(await this.#options.keys());
      if (!socket.destroyed) this.#options.inside.emit('connection', socket);
    } catch (error) {
      if (socket.destroyed) return;
      socket.destroy();
      this.#options.log.error('Cannot serve a caller of the node', { err: error });
    }
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    // Its close tells enough.
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #show(keys: KeyPair): void {
    if (keys === this.#shown) return;
    this.#options.inside.setSecureContext(secureContext(keys));
    this.#shown = keys;
  }
}

function secureContext({ certificate, privateKey }: KeyPair): SecureContextOptions {
  return { cert: certificate, key: privateKey, minVersion: 'TLSv1.2' };
}
