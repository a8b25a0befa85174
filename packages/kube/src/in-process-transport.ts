import {
  type ByteStream,
  type Transport,
  TransportClosedError,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
import { unlessAborted } from './unless-aborted.ts';

/** What a server in the same process answers. */
export interface InProcessAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | AsyncIterable<Uint8Array>;
  /** The switched connection, with status 101. */
  readonly stream?: ByteStream;
}

/** Ends its streaming body when the signal aborts. */
export type InProcessServer = (
  request: TransportRequest,
  signal: AbortSignal,
) => Promise<InProcessAnswer>;

/** Nobody asks why: and what is made for nobody is costly. */
const unwanted = new Error('Nobody wants the rest of the answer');

/** A transport to a server in the same process: the same client, no sockets. */
export class InProcessTransport implements Transport {
  readonly #server: InProcessServer;
  readonly #open = new Set<Exchange>();
  #closed = false;

  constructor(server: InProcessServer) {
    this.#server = server;
  }

  async send(request: TransportRequest, signal?: AbortSignal): Promise<TransportResponse> {
    const { exchange, answer } = await this.#exchange(request, signal);
    return inProcessResponse(answer, exchange);
  }

  async upgrade(request: TransportRequest, signal?: AbortSignal) {
    const { exchange, answer } = await this.#exchange(request, signal);
    if (answer.stream === undefined) return inProcessResponse(answer, exchange);
    exchange.detach();
    return { status: 101 as const, headers: answer.headers ?? {}, stream: answer.stream };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    for (const exchange of this.#open) exchange.abort(new TransportClosedError());
  }

  async #exchange(
    request: TransportRequest,
    signal: AbortSignal | undefined,
  ): Promise<{ exchange: Exchange; answer: InProcessAnswer }> {
    signal?.throwIfAborted();
    if (this.#closed) throw new TransportClosedError();
    const exchange = new Exchange(signal, () => this.#open.delete(exchange));
    this.#open.add(exchange);
    try {
      const answer = await unlessAborted(this.#server(request, exchange.signal), exchange.signal);
      return { exchange, answer };
    } catch (error) {
      exchange.finish();
      throw error;
    }
  }
}

/** A request under way: until its answer was read or is no longer wanted, by its caller or by anybody. */
class Exchange {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onOuterAbort = () => this.#controller.abort(this.#outer?.reason);
  readonly #onEnd: () => void;
  #isOpen = true;

  constructor(outer: AbortSignal | undefined, onEnd: () => void) {
    this.#outer = outer;
    this.#onEnd = onEnd;
    outer?.addEventListener('abort', this.#onOuterAbort, { once: true });
  }

  /** For the server. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** From now on it does not depend on its caller's signal. */
  detach(): void {
    this.#outer?.removeEventListener('abort', this.#onOuterAbort);
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  finish(): void {
    this.#isOpen = false;
    this.detach();
    this.#onEnd();
  }

  /** The rest is not wanted: the server may stop. */
  cancel(): void {
    this.finish();
    this.#controller.abort(unwanted);
  }
}

function inProcessResponse(answer: InProcessAnswer, exchange: Exchange): TransportResponse {
  const { status, headers = {}, body = '' } = answer;
  const chunks = () => untilEnd(typeof body === 'string' ? encoded(body) : body, exchange);
  return {
    status,
    headers,
    chunks,
    async text() {
      if (typeof body === 'string') {
        exchange.finish();
        return body;
      }
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of chunks()) text += decoder.decode(chunk, { stream: true });
      return text + decoder.decode();
    },
    discard: () => exchange.cancel(),
  };
}

/** Does not rely on the server to stop when it is told to. */
async function* untilEnd(
  body: AsyncIterable<Uint8Array>,
  exchange: Exchange,
): AsyncGenerator<Uint8Array, void, undefined> {
  const iterator = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), exchange.signal);
      if (next.done) return exchange.finish();
      yield next.value;
    }
  } finally {
    if (exchange.isOpen) exchange.cancel();
    // Not awaited: a body that hears nothing is not waited for. What it throws now is of no interest any more.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

async function* encoded(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield new TextEncoder().encode(text);
}
