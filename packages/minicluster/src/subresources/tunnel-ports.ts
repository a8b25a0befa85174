import { type Duplex, pipeline } from 'node:stream';
import { createWebSocketStream } from 'ws';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import type { Backend } from './backend.ts';
import { passedHeaders } from './passed-headers.ts';
import { answerUpgrade, askToSwitch } from './switch-backend.ts';
import { offeredProtocols, webSocketAnswer } from './web-socket-answer.ts';

const prefix = 'SPDY/3.1+';

/** What a client that tunnels SPDY through a WebSocket would speak in the tunnel (KEP-4006). */
export function tunnelledProtocols(request: ApiRequest): readonly string[] {
  const offered = offeredProtocols(request);
  const tunnels = offered.filter((one) => one.startsWith(prefix) && one.endsWith('.k8s.io'));
  return tunnels.map((one) => one.slice(prefix.length));
}

/** Joins a WebSocket whose messages are pieces of SPDY with a kubelet that speaks SPDY itself. */
export async function tunnelPorts(
  kubelet: Backend,
  path: string,
  request: ApiRequest,
): Promise<ApiAnswer> {
  const headers = spdyHeaders(request, tunnelledProtocols(request));
  const { signal } = request;
  const answer = await askToSwitch(kubelet, { method: 'POST', path, headers, signal });
  if (!('connection' in answer)) return answerUpgrade(answer);
  const spoken = answer.headers['x-stream-protocol-version'] ?? '';
  return webSocketAnswer(request, `${prefix}${spoken}`, (socket) => {
    join(createWebSocketStream(socket), answer.connection);
  });
}

function spdyHeaders(
  request: ApiRequest,
  protocols: readonly string[],
): Record<string, string | string[]> {
  const passed = Object.entries(passedHeaders(request));
  const kept = passed.filter(([name]) => !name.startsWith('sec-websocket-'));
  const version = { 'x-stream-protocol-version': [...protocols] };
  return { ...Object.fromEntries(kept), upgrade: 'SPDY/3.1', ...version };
}

/** One connection of two, until either ends. */
function join(one: Duplex, other: Duplex): void {
  const ended = () => {
    // How it ended is known to both sides.
  };
  pipeline(one, other, ended);
  pipeline(other, one, ended);
}
