import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { InProcessAnswer, TransportRequest } from '@liqo/kube';
import type { CutKind, Fault } from './fault.ts';
import { tamperWithBody } from './tamper-with-body.ts';

export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = ServerResponse | Http2ServerResponse;

/** One request over the network and the answer to it, with whatever goes wrong on the way back. */
export class FaultyExchange {
  readonly #incoming: Incoming;
  readonly #outgoing: Outgoing;
  /** The TCP connection below TLS and HTTP. */
  readonly #socket: Socket | undefined;
  readonly #closed = new AbortController();

  constructor(incoming: Incoming, outgoing: Outgoing, socket: Socket | undefined) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#socket = socket;
    // A client that goes away is what this server is for; `close` follows.
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    outgoing.once('close', () => this.#closed.abort());
  }

  /** Aborts when the exchange is over, one way or the other. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  async readRequest(): Promise<TransportRequest> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#incoming) chunks.push(chunk);
    const { method = 'GET', url = '/' } = this.#incoming;
    const headers = this.#incoming.headers as Record<string, string>;
    const body = Buffer.concat(chunks).toString('utf8');
    return { method, path: url, headers, ...(body !== '' && { body }) };
  }

  async answer(answer: InProcessAnswer, fault: Fault): Promise<void> {
    if (this.closed.aborted) return;
    if (fault.noAnswer !== undefined) return this.#break(fault.noAnswer);
    // Both kinds of responses have this method, with overloads too different for the compiler to see it.
    (this.#outgoing as ServerResponse).writeHead(answer.status, { ...answer.headers });
    await this.#sendBody(tamperWithBody(chunksOf(answer), fault), fault);
  }

  async #sendBody(body: AsyncIterable<Uint8Array>, { cut }: Fault): Promise<void> {
    let leftBytes = cut?.afterBytes ?? Number.POSITIVE_INFINITY;
    if (leftBytes > 0) (this.#outgoing as ServerResponse).flushHeaders();
    for await (const chunk of body) {
      if (chunk.length >= leftBytes && cut) {
        await this.#write(chunk.subarray(0, leftBytes));
        await this.#break(cut.how);
        if (cut.how !== 'goAway') return;
        await this.#write(chunk.subarray(leftBytes));
        leftBytes = Number.POSITIVE_INFINITY;
      } else {
        leftBytes -= chunk.length;
        await this.#write(chunk);
      }
      if (this.closed.aborted) return;
    }
    this.#outgoing.end();
  }

  /** Resolves when the bytes have left, or when nobody wants them any more. */
  #write(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.closed.aborted) return resolve();
      const done = () => {
        this.closed.removeEventListener('abort', done);
        resolve();
      };
      this.closed.addEventListener('abort', done);
      (this.#outgoing as ServerResponse).write(chunk, done);
    });
  }

  async #break(how: CutKind): Promise<void> {
    if (how === 'end') this.#outgoing.end();
    else if (how === 'close') this.#socket?.destroy();
    else if (how === 'reset') this.#socket?.resetAndDestroy();
    else if (how === 'goAway') this.#goAway();
    else if (how === 'stall') await untilAborted(this.closed);
    else this.#resetStream(how.stream);
  }

  #goAway(): void {
    if ('stream' in this.#outgoing) this.#outgoing.stream.session?.close();
  }

  #resetStream(code: number): void {
    if ('stream' in this.#outgoing) this.#outgoing.stream.close(code);
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function* chunksOf({ body = '' }: InProcessAnswer): AsyncGenerator<Uint8Array> {
  if (typeof body !== 'string') yield* body;
  else if (body !== '') yield Buffer.from(body);
}
