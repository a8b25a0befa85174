import type { WebSocket } from 'ws';
import { ByteQueue } from './byte-queue.ts';
import type { CommandStreams, StreamWishes } from './command-streams.ts';

/** The remote command protocols over WebSocket that are spoken, the best first. */
export const commandProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
/** How much input waits for a slow command. */
const waitingBytes = 128 * 1024;

/** One command over one WebSocket: every message begins with the number of its channel. */
export class WebSocketCommand implements CommandStreams {
  readonly stdin = new ByteQueue(() => this.#resumeWhenTaken());
  readonly resizes = new ByteQueue();
  readonly #socket: WebSocket;
  readonly #wishes: StreamWishes;
  readonly #closed = new AbortController();

  constructor(socket: WebSocket, wishes: StreamWishes) {
    this.#socket = socket;
    this.#wishes = wishes;
    if (!wishes.stdin) this.stdin.end();
    if (!wishes.tty) this.resizes.end();
    socket.on('message', (data) => this.#receive(asBytes(data)));
    socket.on('close', () => this.#onClose());
    socket.on('error', () => this.#onClose());
    // An empty message tells the client that the streams are there.
    void this.#send(firstChannel(wishes), new Uint8Array());
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async stdout(chunk: Uint8Array | string): Promise<void> {
    if (this.#wishes.stdout) await this.#send(channels.stdout, Buffer.from(chunk as string));
  }

  /** A terminal has one screen. */
  async stderr(chunk: Uint8Array | string): Promise<void> {
    if (this.#wishes.tty) await this.stdout(chunk);
    else if (this.#wishes.stderr) await this.#send(channels.stderr, Buffer.from(chunk as string));
  }

  async finish(status: object): Promise<void> {
    await this.#send(channels.error, Buffer.from(JSON.stringify(status)));
    this.stdin.end();
    this.resizes.end();
    this.#socket.close(1000);
    // The answer of the client is behind everything it has sent.
    this.#socket.resume();
  }

  #receive(message: Uint8Array): void {
    const [channel, ended] = message;
    if (channel === channels.stdin) this.#receiveInput(message.subarray(1));
    if (channel === channels.resize) this.resizes.push(message.subarray(1));
    if (channel === channels.close && ended === channels.stdin) this.stdin.end();
  }

  #receiveInput(bytes: Uint8Array): void {
    this.stdin.push(bytes);
    if (this.stdin.size > waitingBytes) this.#socket.pause();
  }

  #resumeWhenTaken(): void {
    if (this.#socket.isPaused && this.stdin.size <= waitingBytes) this.#socket.resume();
  }

  /** Resolves when the bytes are on their way, or never will be. */
  #send(channel: number, bytes: Uint8Array): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return Promise.resolve();
    const message = Buffer.concat([Buffer.of(channel), bytes]);
    return new Promise((resolve) => this.#socket.send(message, () => resolve()));
  }

  #onClose(): void {
    this.stdin.end();
    this.resizes.end();
    this.#closed.abort();
  }
}

function firstChannel({ stdout, stderr }: StreamWishes): number {
  if (stdout) return channels.stdout;
  return stderr ? channels.stderr : channels.error;
}

export function asBytes(data: Buffer | ArrayBuffer | Buffer[]): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
