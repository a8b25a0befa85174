import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { badRequest } from '../rest/refusal.ts';
import { duplexPair } from '../streams/duplex-pair.ts';

/** The protocols that a client offers to speak on a WebSocket; none if it asks for something else. */
export function offeredProtocols({ headers }: ApiRequest): readonly string[] {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return [];
  const offers = (headers['sec-websocket-protocol'] ?? '').split(',');
  return offers.map((offer) => offer.trim()).filter(Boolean);
}

/** Answers a request with a WebSocket on which `protocol` is spoken, and hands it to `serve`. */
export function webSocketAnswer(
  request: ApiRequest,
  protocol: string,
  serve: (socket: WebSocket) => void,
): ApiAnswer {
  const [outside, inside] = duplexPair();
  const server = new WebSocketServer({ noServer: true });
  const headers: Record<string, string> = { 'sec-websocket-protocol': protocol };
  server.on('headers', (lines) => {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
      if (name) headers[name.toLowerCase()] = value;
    }
  });
  let socket: WebSocket | undefined;
  server.handleUpgrade(asIncoming(request), inside, Buffer.alloc(0), (opened) => {
    socket = opened;
  });
  // All it has written by now is the head of a response, which the listener writes from the headers.
  outside.read();
  if (!socket) throw badRequest('unable to upgrade: the WebSocket handshake is incomplete');
  serve(socket);
  return { status: 101, headers, upgraded: outside };
}

/** Without the protocols: Kubernetes names them in letters that the standard does not allow. */
function asIncoming({ method, headers }: ApiRequest): IncomingMessage {
  const { 'sec-websocket-protocol': _, ...kept } = headers;
  const incoming = new IncomingMessage(new Socket());
  incoming.method = method;
  Object.assign(incoming.headers, kept);
  return incoming;
}
