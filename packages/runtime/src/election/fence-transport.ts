import type { Transport, TransportRequest } from '@liqo/kube';
import { LeadershipLostError } from './leadership-term.ts';

/**
 * The same transport, over which nothing is written unless `mayWrite` at that very moment.
 *
 * For the client of what only the leader does, with `isLeader` of its election, which goes by the clock: after an event
 * loop stood still, some callback may run before the timer that aborts the leader's signal, and must not write any more.
 * Reads pass. A request that is on its way is not called back.
 */
export function fenceTransport(transport: Transport, mayWrite: () => boolean): Transport {
  const check = ({ method }: TransportRequest) => {
    if (method === 'GET' || mayWrite()) return;
    throw new LeadershipLostError(`Cannot ${method}: this process does not lead any more`);
  };
  return {
    send: async (request, signal) => {
      check(request);
      return transport.send(request, signal);
    },
    upgrade: async (request, signal) => {
      check(request);
      return transport.upgrade(request, signal);
    },
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
