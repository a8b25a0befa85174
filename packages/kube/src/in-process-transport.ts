import { CallEnd, type CallSignal } from './call-signal.ts';
import { JsonContent, JsonLines } from './json-content.ts';
import {
  type ByteStream,
  type Transport,
  TransportClosedError,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

/** What a server in the same process answers. */
export interface InProcessAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | JsonContent | AsyncIterable<Uint8Array>;
  /** The switched connection, with status 101. */
  readonly stream?: ByteStream;
}

/** Ends its streaming body when the signal aborts. */
export type InProcessServer = (
  request: TransportRequest,
  signal: CallSignal,
) => Promise<InProcessAnswer>;

/** Nobody asks why: and what is made for nobody is costly. */
const unwanted = new Error('Nobody wants the rest of the answer');

/** A transport to a server in the same process: the same client, no sockets. */
export class InProcessTransport implements Transport {
  readonly host = 'in-process';
  readonly #server: InProcessServer;
  readonly #open = new Set<Exchange>();
  #isClosed = false;
  #isCut = false;

  constructor(server: InProcessServer) {
    this.#server = server;
  }

  async send(request: TransportRequest, signal?: CallSignal): Promise<TransportResponse> {
    const { exchange, answer } = await this.#exchange(request, signal);
    return inProcessResponse(answer, exchange);
  }

  async upgrade(request: TransportRequest, signal?: CallSignal) {
    const { exchange, answer } = await this.#exchange(request, signal);
    if (answer.stream === undefined) return inProcessResponse(answer, exchange);
    exchange.detach();
    return { status: 101 as const, headers: answer.headers ?? {}, stream: answer.stream };
  }

  /**
   * As when a machine loses its power: what was sent arrives, nothing more is sent, and nobody on this side hears anything
   * any more.
   */
  cut(): void {
    this.#isCut = true;
    for (const exchange of this.#open) exchange.cut();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const exchange of this.#open) exchange.abort(new TransportClosedError());
  }

  async #exchange(
    request: TransportRequest,
    signal: CallSignal | undefined,
  ): Promise<{ exchange: Exchange; answer: InProcessAnswer }> {
    signal?.throwIfAborted();
    if (this.#isCut) return never();
    if (this.#isClosed) throw new TransportClosedError();
    request.beforeSending?.();
    const exchange = new Exchange(signal, () => this.#open.delete(exchange));
    this.#open.add(exchange);
    try {
      const answer = await exchange.hear(this.#server(request, exchange.signal));
      return { exchange, answer };
    } catch (error) {
      exchange.finish();
      throw error;
    }
  }
}

/** A request under way: until its answer was read or is no longer wanted, by its caller or by anybody. */
class Exchange {
  /** For the server. */
  readonly signal = new CallEnd();
  readonly #outer: CallSignal | undefined;
  readonly #onOuterAbort = () => this.abort(this.#outer?.reason);
  readonly #onEnd: () => void;
  #isOpen = true;
  #isCut = false;
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(outer: CallSignal | undefined, onEnd: () => void) {
    this.#outer = outer;
    this.#onEnd = onEnd;
    outer?.addEventListener('abort', this.#onOuterAbort, { once: true });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The promise's outcome, or why the exchange ended first: it does not rely on the server to stop when it is told to. */
  hear<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#interrupt = reject;
      if (this.signal.aborted && !this.#isCut) reject(this.signal.reason);
      promise.then(
        (value) => this.#isCut || resolve(value),
        (error) => this.#isCut || reject(error),
      );
    });
  }

  /** From now on it does not depend on its caller's signal. */
  detach(): void {
    this.#outer?.removeEventListener('abort', this.#onOuterAbort);
  }

  abort(reason: unknown): void {
    this.signal.abort(reason);
    this.#interrupt?.(reason);
  }

  /** Ends it for the server; on this side nobody is told. */
  cut(): void {
    this.#isCut = true;
    this.#interrupt = undefined;
    this.cancel();
  }

  finish(): void {
    this.#isOpen = false;
    this.detach();
    this.#onEnd();
  }

  /** The rest is not wanted: the server may stop. */
  cancel(): void {
    this.finish();
    this.abort(unwanted);
  }
}

function inProcessResponse(answer: InProcessAnswer, exchange: Exchange): TransportResponse {
  const { body = '' } = answer;
  const isWhole = typeof body === 'string' || body instanceof JsonContent;
  return isWhole ? wholeResponse(answer, body, exchange) : streaming(answer, body, exchange);
}

function wholeResponse(
  { status, headers = {} }: InProcessAnswer,
  body: string | JsonContent,
  exchange: Exchange,
): TransportResponse {
  const handOver = <T>(content: T) => {
    exchange.finish();
    return content;
  };
  return {
    status,
    headers,
    text: async () => handOver(String(body)),
    chunks: () => untilEnd(encoded(String(body)), exchange),
    ...(typeof body !== 'string' && { value: () => handOver(body.value) }),
    discard: () => exchange.cancel(),
  };
}

function streaming(
  { status, headers = {} }: InProcessAnswer,
  body: AsyncIterable<Uint8Array>,
  exchange: Exchange,
): TransportResponse {
  const chunks = () => untilEnd(body, exchange);
  return {
    status,
    headers,
    text: () => textOf(chunks()),
    chunks,
    ...(body instanceof JsonLines && { values: () => untilEnd(body.batches, exchange) }),
    discard: () => exchange.cancel(),
  };
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function* untilEnd<T>(
  body: AsyncIterable<T>,
  exchange: Exchange,
): AsyncGenerator<T, void, undefined> {
  const iterator = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await exchange.hear(iterator.next());
      if (next.done) return exchange.finish();
      yield next.value;
    }
  } finally {
    if (exchange.isOpen) exchange.cancel();
    // Not awaited: a body that hears nothing is not waited for. What it throws now is of no interest any more.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function never(): Promise<never> {
  return new Promise(() => {
    // Whoever waits for it is dead.
  });
}

async function* encoded(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield new TextEncoder().encode(text);
}
