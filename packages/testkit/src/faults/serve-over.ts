import type { InProcessServer, Transport } from '@liqo/kube';

/** A server that knows nothing itself and asks another one, wherever that is. */
export function serveOver(transport: Transport): InProcessServer {
  return async (request, signal) => {
    const answer = await transport.send(request, signal);
    return { status: answer.status, headers: answer.headers, body: answer.chunks() };
  };
}
