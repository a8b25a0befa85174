import type { Client, Transport, TransportRequest } from '@liqo/kube';

export interface ObservedRequest {
  /** The HTTP status, or `<error>` (as client-go says it) when there was no response. */
  readonly code: string;
  /** `host:port` of the server. */
  readonly host: string;
  readonly method: string;
}

export interface RequestObserver {
  requested(request: ObservedRequest): void;
}

/** A client of the same server whose every request is counted when its response begins. A watch is one request. */
export function observeClient(client: Client, observer: RequestObserver): Client {
  return client.withTransport((transport) => observeTransport(transport, observer));
}

function observeTransport(transport: Transport, observer: RequestObserver): Transport {
  const { host, credentials } = transport;
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
    host,
    credentials,
    send: (request, signal) => observed(request, transport.send(request, signal)),
    upgrade: (request, signal) => observed(request, transport.upgrade(request, signal)),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
