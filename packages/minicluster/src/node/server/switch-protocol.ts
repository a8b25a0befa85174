import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { HttpRefusal } from './http-refusal.ts';
import type { StreamTask } from './serve-streams.ts';

/** Switches to what the client asks for, in the best protocol that both sides speak; throws an `HttpRefusal` if there is none. */
export function switchProtocol(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  task: StreamTask,
): void {
  refuseTheChoosy(request);
  const wanted = request.headers.upgrade?.toLowerCase() ?? '';
  if (wanted === 'websocket') switchToWebSocket(request, socket, head, task);
  else if (wanted.includes('spdy/3.1')) switchToSpdy(request, socket, head, task);
  else throw new HttpRefusal(400, `unable to upgrade: "${wanted}" is not spoken here`);
}

/** A kubelet promises nothing about the form of what it streams. */
function refuseTheChoosy({ headers }: IncomingMessage): void {
  const { accept } = headers;
  if (!accept || accept.includes('*/*')) return;
  throw new HttpRefusal(406, '406: Not Acceptable\n\nAvailable representations: ');
}

function switchToWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  task: StreamTask,
): void {
  const run = task.overWebSocket();
  const server = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => task.webSocketProtocols.find((one) => offered.has(one)) ?? false,
  });
  server.handleUpgrade(request, socket, head, run);
}

function switchToSpdy(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  task: StreamTask,
): void {
  const protocol = chooseProtocol(request, task.spdyProtocols);
  const lines = ['Connection: Upgrade', 'Upgrade: SPDY/3.1', `${versionHeader}: ${protocol}`];
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
  if (head.length > 0) socket.unshift(head);
  task.overSpdy(socket);
}

const versionHeader = 'X-Stream-Protocol-Version';

/** The client names what it speaks in the order of its liking, in one header or in several. */
function chooseProtocol({ headers }: IncomingMessage, spoken: readonly string[]): string {
  const offers = [headers[versionHeader.toLowerCase()] ?? []].flat().join(',').split(',');
  const offered = offers.map((offer) => offer.trim()).filter(Boolean);
  if (offered.length === 0) {
    throw new HttpRefusal(400, `unable to upgrade: header ${versionHeader} is empty`);
  }
  const chosen = offered.find((offer) => spoken.includes(offer));
  if (chosen) return chosen;
  const sides = `client supports [${offered.join(' ')}], server accepts [${spoken.join(' ')}]`;
  throw new HttpRefusal(403, `unable to upgrade: unable to negotiate protocol: ${sides}`);
}
