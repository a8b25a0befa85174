import {
  type Clock,
  type InProcessAnswer,
  type InProcessServer,
  sleep,
  TransportError,
  type TransportRequest,
} from '@liqo/kube';

/** What is wrong with a link, from now on and for every request. */
export type LinkFault =
  | 'none'
  /** The connection cannot be made: nothing is sent. */
  | 'refused'
  /** Requests vanish; no answer comes, ever. */
  | 'lostRequest'
  /** The server acts on a write, and its answer vanishes. */
  | 'lostAnswer'
  /** The server acts on a write, and something in between answers 500. */
  | 'garbledAnswer'
  /** The server answers 500 and does nothing. */
  | 'failing'
  /** Somebody else is always faster: every write is a conflict. */
  | 'conflicting'
  /** Requests and answers each take this long. A request arrives even if its sender has given up. */
  | { readonly delayMs: number };

/** A link to a server in the same process that can be made to fail in every way that a network can. */
export class FaultyLink {
  fault: LinkFault = 'none';
  readonly #server: InProcessServer;
  readonly #clock: Clock;

  constructor(server: InProcessServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  readonly serve: InProcessServer = async (request, signal) => {
    const { fault } = this;
    if (typeof fault === 'object') return this.#slowly(request, signal, fault.delayMs);
    const writes = request.method !== 'GET';
    switch (fault) {
      case 'refused':
        throw new TransportError('Cannot connect: refused', { sent: false });
      case 'lostRequest':
        return silence(signal);
      case 'failing':
        return failure(500, 'InternalError');
      case 'conflicting':
        return writes ? failure(409, 'Conflict') : this.#server(request, signal);
      case 'none':
      case 'lostAnswer':
      case 'garbledAnswer': {
        const answer = await this.#server(request, signal);
        if (fault === 'none' || !writes) return answer;
        return fault === 'lostAnswer' ? silence(signal) : failure(500, 'InternalError');
      }
    }
  };

  async #slowly(
    request: TransportRequest,
    signal: AbortSignal,
    delayMs: number,
  ): Promise<InProcessAnswer> {
    const stillListening = new AbortController().signal;
    const there = sleep(this.#clock, delayMs);
    const answer = there.then(() => this.#server(request, stillListening));
    const back = answer.then(() => sleep(this.#clock, delayMs));
    return Promise.race([back.then(() => answer), silence(signal)]);
  }
}

function failure(code: number, reason: string): InProcessAnswer {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason };
  return { status: code, body: JSON.stringify(status) };
}

/** Until the caller gives up. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
