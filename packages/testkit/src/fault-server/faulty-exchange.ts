import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock, InProcessAnswer, TransportRequest } from '@liqo/kube';
import { bytesOf } from '../faults/deliver-answer.ts';
import type { CutKind, Fault } from '../faults/fault.ts';
import { markCut } from '../faults/mark-cut.ts';
import { tamperWithBody } from '../faults/tamper-with-body.ts';
import { untilAborted } from '../faults/until-aborted.ts';

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

  async answer(answer: InProcessAnswer, fault: Fault, clock: Clock): Promise<void> {
    if (this.closed.aborted) return;
    if (fault.noAnswer !== undefined) return this.#break(fault.noAnswer);
    // Both kinds of responses have this method, with overloads too different for the compiler to see it.
    (this.#outgoing as ServerResponse).writeHead(answer.status, { ...answer.headers });
    if (!isCutAtOnce(fault)) (this.#outgoing as ServerResponse).flushHeaders();
    const body = tamperWithBody(bytesOf(answer), fault, clock, this.closed);
    await this.#sendBody(markCut(body, fault.cut), fault.cut?.how);
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #sendBody(
    body: AsyncIterable<Uint8Array | 'cut'>,
    how: CutKind | undefined,
  ): Promise<void> {
    for await (const piece of body) {
      if (piece !== 'cut') await this.#write(piece);
      else if (how !== undefined) await this.#break(how);
      if (this.closed.aborted || (piece === 'cut' && how !== 'goAway')) return;
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
    else if (how === 'close') this.close();
    else if (how === 'reset') this.#socket?.resetAndDestroy();
    else if (how === 'goAway') this.#goAway();
    else if (how === 'stall') await untilAborted(this.closed);
    else if (how === 'refuse') this.#refuse();
    else this.#resetStream(how.stream);
  }

  #goAway(): void {
    if ('stream' in this.#outgoing) this.#outgoing.stream.session?.close();
  }

  #refuse(): void {
    if ('stream' in this.#outgoing) this.#resetStream(constants.NGHTTP2_REFUSED_STREAM);
    else this.close();
  }

  #resetStream(code: number): void {
    if ('stream' in this.#outgoing) this.#outgoing.stream.close(code);
  }
}

function isCutAtOnce({ cut }: Fault): boolean {
  if (cut === undefined) return false;
  return ('afterLines' in cut ? cut.afterLines : cut.afterBytes) <= 0;
}
