import type { Client, Transport, TransportRequest } from '@liqo/kube';
import { LeadershipLostError } from './leadership-term.ts';

/**
 * A client of the same server through which nothing is written unless `mayWrite` at the moment at which the request leaves
 * the process. The work of a leader writes through such clients only, with the `mayWrite` of its term: after an event loop
 * stood still, some callback may run before the timer that aborts the leader's signal.
 *
 * Reads pass. A request that has left the process is not called back.
 */
export function fenceClient(client: Client, mayWrite: () => boolean): Client {
  return client.withTransport((transport) => fenceTransport(transport, mayWrite));
}

function fenceTransport(transport: Transport, mayWrite: () => boolean): Transport {
  const fenced = (request: TransportRequest): TransportRequest => {
    const { method } = request;
    if (method === 'GET') return request;
    const check = () => {
      if (mayWrite()) return;
      throw new LeadershipLostError(`Cannot ${method}: this process does not lead any more`);
    };
    check();
    return { ...request, beforeSending: check };
  };
  const { host, credentials } = transport;
  return {
    host,
    credentials,
    send: async (request, signal) => transport.send(fenced(request), signal),
    upgrade: async (request, signal) => transport.upgrade(fenced(request), signal),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
