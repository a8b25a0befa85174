import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Two ends of one connection that passes through. */
interface Passage {
  readonly near: Socket;
  readonly far: Socket;
}

/** A relay to a port of this machine. */
export async function startRelay(targetPort: number): Promise<Relay> {
  const server = createServer({ allowHalfOpen: true });
  const relay = new Relay(server, targetPort);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return relay;
}

/**
 * A wire between a client and a server, which can be cut or go dead: plain TCP on a port of its own that hands every
 * byte through.
 */
export class Relay implements AsyncDisposable {
  readonly #server: Server;
  readonly #passages = new Set<Passage>();
  readonly #abandoned = new WeakSet<Passage>();
  #stalled = false;

  constructor(server: Server, targetPort: number) {
    this.#server = server;
    server.on('connection', (near) => this.#open(near, targetPort));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Connections of clients that are not closed yet. */
  get openConnections(): number {
    return this.#passages.size;
  }

  /** Resets every connection, towards both ends. */
  cut(): void {
    for (const { near, far } of this.#passages) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** From now on nothing passes and nothing is closed: half-open, as after a firewall forgot the connection. */
  stall(): void {
    this.#stalled = true;
    for (const { near, far } of this.#passages) stop(near, far);
  }

  /** As `stall`, but for ever, and only for the connections that are open now: new ones pass. */
  abandon(): void {
    for (const passage of this.#passages) {
      const { near, far } = passage;
      this.#abandoned.add(passage);
      stop(near, far);
      near.resume().once('end', () => near.destroy());
    }
  }

  /** What was held back passes, and everything after it. */
  resume(): void {
    this.#stalled = false;
    for (const passage of this.#passages) {
      if (!this.#abandoned.has(passage)) flow(passage.near, passage.far);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  #open(near: Socket, targetPort: number): void {
    const far = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const passage = { near, far };
    this.#passages.add(passage);
    // An end that fails takes the other one with it below: both tell by closing.
    for (const end of [near, far]) end.on('error', () => undefined).setNoDelay(true);
    near.once('close', () => {
      this.#passages.delete(passage);
      far.destroy();
    });
    far.once('close', () => {
      if (!this.#stalled && !this.#abandoned.has(passage)) near.destroy();
    });
    if (!this.#stalled) flow(near, far);
  }
}

function flow(near: Socket, far: Socket): void {
  near.pipe(far);
  far.pipe(near);
}

function stop(near: Socket, far: Socket): void {
  near.unpipe(far).pause();
  far.unpipe(near).pause();
}
