import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a port of this machine on which, once it is narrow, the answers come in portions that the test hands out. */
export async function startNarrowWire(targetPort: number): Promise<NarrowWire> {
  const wire = new NarrowWire(targetPort);
  await wire.listen();
  return wire;
}

export class NarrowWire implements AsyncDisposable {
  readonly #server = createServer((near) => this.#open(near));
  readonly #targetPort: number;
  readonly #sockets = new Set<Socket>();
  #near: Socket | undefined;
  #held: Buffer[] = [];
  #isNarrow = false;
  connectionsOpened = 0;

  constructor(targetPort: number) {
    this.#targetPort = targetPort;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  narrow(): void {
    this.#isNarrow = true;
  }

  get heldBytes(): number {
    return this.#held.reduce((sum, { length }) => sum + length, 0);
  }

  /** Lets so many bytes of what the server has sent go on their way, or as many as there are. */
  deliver(bytes: number): void {
    const held = Buffer.concat(this.#held);
    this.#near?.write(held.subarray(0, bytes));
    this.#held = [held.subarray(bytes)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #open(near: Socket): void {
    this.connectionsOpened += 1;
    this.#near = near;
    const far = connect(this.#targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => other.destroy());
    }
    near.pipe(far);
    far.on('data', (chunk: Buffer) => {
      if (this.#isNarrow) this.#held.push(chunk);
      else near.write(chunk);
    });
  }
}
