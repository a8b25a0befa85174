import type { Client, Transport, TransportRequest } from '@liqo/kube';

type TransportResponse = Awaited<ReturnType<Transport['send']>>;

/** The process is gone: nothing that it would have done next is done. */
export class Death extends Error {
  override readonly name = 'Death';
}

/** Counts the writes of all clients of one process, and ends the process right after one of them. */
export class Mortality {
  #writes = 0;
  readonly #lastWrite: number | undefined;

  constructor(lastWrite?: number) {
    this.#lastWrite = lastWrite;
  }

  /** How many there have been. */
  get writes(): number {
    return this.#writes;
  }

  of(client: Client): Client {
    return client.withTransport((transport) => this.#wrap(transport));
  }

  #wrap(transport: Transport): Transport {
    return {
      host: transport.host,
      send: (request, signal) => this.#send(request, () => transport.send(request, signal)),
      upgrade: (request, signal) => transport.upgrade(request, signal),
      [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
    };
  }

  async #send(
    { method }: TransportRequest,
    send: () => Promise<TransportResponse>,
  ): Promise<TransportResponse> {
    if (method === 'GET') return send();
    this.#writes += 1;
    const isLast = this.#writes === this.#lastWrite;
    const answer = await send();
    if (isLast) throw new Death('Died after a write');
    return answer;
  }
}
