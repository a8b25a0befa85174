import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@liqo/kube';
import type { HttpRefusal } from './http-refusal.ts';

/** How long a refused caller may take to read why. */
const lingerMs = 1_000;

export function sendText(response: ServerResponse, body: string, type = 'text/plain'): void {
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body);
}

export function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** In plain words, as kubelets do: an API server makes them the message of its own answer. */
export function refuse(response: ServerResponse, { code, message }: HttpRefusal): void {
  response.writeHead(code, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    ...(code === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(message);
}

/**
 * Whoever asked for another protocol is told with a Status: API servers hand this answer through as it is, and what
 * waits behind them takes code and message from it.
 */
export function refuseUpgrade(socket: Duplex, refusal: HttpRefusal, clock: Clock): void {
  const body = JSON.stringify(refusal.toStatus());
  const head = [
    `HTTP/1.1 ${refusal.code} ${STATUS_CODES[refusal.code] ?? 'Refused'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.resume().end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const timer = clock.after(lingerMs, () => socket.destroy());
  socket.once('close', () => timer.cancel());
}
