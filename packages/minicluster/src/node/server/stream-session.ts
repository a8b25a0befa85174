import type { WebSocket } from 'ws';
import { ByteQueue } from './byte-queue.ts';

/** The remote command protocols over WebSocket that are spoken, the best first. */
export const commandProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

export interface StreamWishes {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** How a command ended: nothing more to say, its exit code, or why it could not be run. */
export type Outcome = { readonly exitCode: number } | { readonly failure: string };

/** One command over one WebSocket: every message begins with the number of its channel. */
export class StreamSession {
  readonly stdin = new ByteQueue();
  readonly #socket: WebSocket;
  readonly #wishes: StreamWishes;
  readonly #closed = new AbortController();

  constructor(socket: WebSocket, wishes: StreamWishes) {
    this.#socket = socket;
    this.#wishes = wishes;
    if (!wishes.stdin) this.stdin.end();
    socket.on('message', (data) => this.#receive(asBytes(data)));
    socket.on('close', () => this.#onClose());
    socket.on('error', () => this.#onClose());
    // An empty message tells the client that the streams are there.
    this.#send(wishes.stdout ? channels.stdout : channels.error, new Uint8Array());
  }

  /** Aborts when the client has gone. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  stdout(chunk: Uint8Array | string): void {
    if (this.#wishes.stdout) this.#send(channels.stdout, Buffer.from(chunk as string));
  }

  /** A terminal has one screen. */
  stderr(chunk: Uint8Array | string): void {
    if (this.#wishes.tty) this.stdout(chunk);
    else if (this.#wishes.stderr) this.#send(channels.stderr, Buffer.from(chunk as string));
  }

  finish(outcome: Outcome): void {
    this.#send(channels.error, Buffer.from(JSON.stringify(statusOf(outcome))));
    this.#socket.close(1000);
  }

  #receive(message: Uint8Array): void {
    const [channel, ended] = message;
    if (channel === channels.stdin) this.stdin.push(message.subarray(1));
    if (channel === channels.close && ended === channels.stdin) this.stdin.end();
  }

  #send(channel: number, bytes: Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(Buffer.concat([Buffer.of(channel), bytes]));
  }

  #onClose(): void {
    this.stdin.end();
    this.#closed.abort();
  }
}

function statusOf(outcome: Outcome): object {
  const head = { metadata: {} };
  if ('failure' in outcome) {
    const { failure } = outcome;
    const details = { causes: [{ message: failure }] };
    const message = `Internal error occurred: ${failure}`;
    return { ...head, status: 'Failure', message, reason: 'InternalError', details, code: 500 };
  }
  if (outcome.exitCode === 0) return { ...head, status: 'Success' };
  const exitCode = String(outcome.exitCode);
  return {
    ...head,
    status: 'Failure',
    message: `command terminated with non-zero exit code: error executing command: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: exitCode }] },
  };
}

export function asBytes(data: Buffer | ArrayBuffer | Buffer[]): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
