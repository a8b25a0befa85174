import type { Clock, Transport, TransportRequest } from '@liqo/kube';
import { formatElapsed } from '../output/format-elapsed.ts';

interface RequestReport {
  readonly clock: Clock;
  readonly report: (line: string) => void;
}

/** Reports each request and its answer in a line. Bodies and headers are left out: they hold credentials. */
export function reportingTransport(
  transport: Transport,
  { clock, report }: RequestReport,
): Transport {
  const follow = async <T extends { readonly status: number }>(
    { method, path }: TransportRequest,
    send: () => Promise<T>,
  ): Promise<T> => {
    const startedMs = clock.monotonicMs();
    const tell = (outcome: string | number) => {
      const elapsed = formatElapsed(clock.monotonicMs() - startedMs);
      report(`${method} ${transport.host}${path} ${outcome} (${elapsed})`);
    };
    try {
      const answer = await send();
      tell(answer.status);
      return answer;
    } catch (error) {
      tell('without an answer');
      throw error;
    }
  };
  return {
    host: transport.host,
    credentials: transport.credentials,
    send: (request, signal) => follow(request, () => transport.send(request, signal)),
    upgrade: (request, signal) => follow(request, () => transport.upgrade(request, signal)),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
