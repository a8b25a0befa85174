import {
  type InProcessAnswer,
  type InProcessServer,
  InProcessTransport,
  type Transport,
} from '@liqo/kube';

/**
 * All connections of one life of a process. Cut, they are as those of a machine without power: what was sent arrives,
 * nothing more is sent, and nobody on this side hears anything any more.
 */
export class ProcessWires {
  readonly #open = new Set<AbortController>();
  #isCut = false;

  /** For a `Client` of the process. */
  to(serve: InProcessServer): Transport {
    return new InProcessTransport((request, signal) => this.#carry(serve, request, signal));
  }

  cut(): void {
    this.#isCut = true;
    for (const exchange of this.#open) exchange.abort();
    this.#open.clear();
  }

  async #carry(
    serve: InProcessServer,
    request: Parameters<InProcessServer>[0],
    signal: AbortSignal,
  ): Promise<InProcessAnswer> {
    if (this.#isCut) return never();
    const exchange = this.#begin(signal);
    const answer = await serve(request, exchange.signal).catch((error) => this.#hear(error));
    const { body } = answer;
    if (this.#isCut) return never();
    if (body !== undefined && typeof body !== 'string') {
      return { ...answer, body: this.#listen(body, exchange) };
    }
    this.#open.delete(exchange);
    return answer;
  }

  #begin(signal: AbortSignal): AbortController {
    const exchange = new AbortController();
    this.#open.add(exchange);
    signal.addEventListener('abort', () => exchange.abort(signal.reason), { once: true });
    return exchange;
  }

  async *#listen(
    body: AsyncIterable<Uint8Array>,
    exchange: AbortController,
  ): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        if (this.#isCut) return await never();
        yield chunk;
      }
      if (this.#isCut) await never();
    } finally {
      this.#open.delete(exchange);
    }
  }

  #hear(error: unknown): Promise<never> {
    return this.#isCut ? never() : Promise.reject(error);
  }
}

function never(): Promise<never> {
  return new Promise(() => {
    // Whoever waits for it is dead.
  });
}
