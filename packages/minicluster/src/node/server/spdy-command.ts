import type { Duplex } from 'node:stream';
import type { Clock } from '@liqo/kube';
import { SpdySession } from '../../spdy/spdy-session.ts';
import type { SpdyStream } from '../../spdy/spdy-stream.ts';
import type { CommandStreams, StreamWishes } from '../../streams/command-streams.ts';

/** The remote command protocols over SPDY that are spoken: how a command ended is told as a `Status`. */
export const spdyCommandProtocols = ['v4.channel.k8s.io'] as const;

/** As long as a kubelet waits for the streams that a client asked for. */
const creationTimeoutMs = 30_000;

type StreamName = 'error' | 'stdin' | 'stdout' | 'stderr' | 'resize';

/** Takes the streams of one command, which the client opens one by one. Undefined when it does not open them all. */
export function acceptSpdyCommand(
  connection: Duplex,
  wishes: StreamWishes,
  clock: Clock,
): Promise<CommandStreams | undefined> {
  const expected = expectedStreams(wishes);
  const streams = new Map<string, SpdyStream>();
  return new Promise((resolve) => {
    const onStream = (stream: SpdyStream) => {
      const name = stream.headers.get('streamtype') ?? '';
      if (!expected.some((one) => one === name) || streams.has(name)) {
        throw new Error(`Cannot use stream "${name}": it was not asked for`);
      }
      streams.set(name, stream);
      if (streams.size === expected.length) resolve(new SpdyCommand(session, streams));
    };
    const session = new SpdySession(connection, { role: 'server', onStream });
    const timer = clock.after(creationTimeoutMs, () => {
      if (streams.size < expected.length) session.destroy();
    });
    void session.closed.then(() => {
      timer.cancel();
      resolve(undefined);
    });
  });
}

/** A terminal has no stream for errors of its own. */
function expectedStreams({ stdin, stdout, stderr, tty }: StreamWishes): readonly StreamName[] {
  const wanted = { error: true, stdin, stdout, stderr: stderr && !tty, resize: tty };
  return (['error', 'stdin', 'stdout', 'stderr', 'resize'] as const).filter((name) => wanted[name]);
}

class SpdyCommand implements CommandStreams {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly resizes: AsyncIterable<Uint8Array>;
  readonly #session: SpdySession;
  readonly #streams: ReadonlyMap<string, SpdyStream>;
  readonly #closed = new AbortController();

  constructor(session: SpdySession, streams: ReadonlyMap<string, SpdyStream>) {
    this.#session = session;
    this.#streams = streams;
    this.stdin = readable(this.#bytes('stdin'));
    this.resizes = readable(this.#bytes('resize'));
    // The client has nothing to say there, and must not hold up the rest by saying it.
    for (const name of ['error', 'stdout', 'stderr'] as const) this.#bytes(name)?.resume();
    void session.closed.then(() => this.#closed.abort());
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  stdout(chunk: Uint8Array | string): Promise<void> {
    return write(this.#bytes('stdout'), chunk);
  }

  /** A terminal has one screen. */
  stderr(chunk: Uint8Array | string): Promise<void> {
    return write(this.#bytes(this.#bytes('resize') ? 'stdout' : 'stderr'), chunk);
  }

  async finish(status: object): Promise<void> {
    await write(this.#bytes('error'), JSON.stringify(status));
    await Promise.all([...this.#streams.values()].map(({ bytes }) => end(bytes)));
    this.#session.close();
  }

  #bytes(name: StreamName): Duplex | undefined {
    return this.#streams.get(name)?.bytes;
  }
}

/** A command that stops reading leaves the stream open for the client to write to. */
async function* readable(bytes: Duplex | undefined): AsyncGenerator<Uint8Array> {
  try {
    if (bytes) yield* bytes.iterator({ destroyOnReturn: false });
  } catch {
    // The client has gone: there is no more input.
  }
}

/** Resolves when the bytes are on their way, or never will be. */
function write(bytes: Duplex | undefined, chunk: Uint8Array | string): Promise<void> {
  if (!bytes?.writable) return Promise.resolve();
  return new Promise((resolve) => bytes.write(chunk, () => resolve()));
}

function end(bytes: Duplex): Promise<void> {
  if (!bytes.writable) return Promise.resolve();
  return new Promise((resolve) => {
    bytes.once('close', resolve).end(() => resolve());
  });
}
