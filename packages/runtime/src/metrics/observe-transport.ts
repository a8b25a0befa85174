import type { Transport, TransportRequest } from '@liqo/kube';

export interface ObservedRequest {
  /** The HTTP status, or `<error>` (as client-go says it) when there was no response. */
  readonly code: string;
  readonly host: string;
  readonly method: string;
}

export interface RequestObserver {
  requested(request: ObservedRequest): void;
}

/** The same transport, with every request counted when its response begins. A watch is one request. */
export function observeTransport(
  transport: Transport,
  observer: RequestObserver,
  host: string,
): Transport {
  const observed = async <R extends { readonly status: number }>(
    { method }: TransportRequest,
    response: Promise<R>,
  ): Promise<R> => {
    let code = '<error>';
    try {
      const answer = await response;
      code = String(answer.status);
      return answer;
    } finally {
      observer.requested({ code, host, method });
    }
  };
  return {
    send: (request, signal) => observed(request, transport.send(request, signal)),
    upgrade: (request, signal) => observed(request, transport.upgrade(request, signal)),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
