import type { IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SwitchOptions {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Switched {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
}

export interface Refused {
  readonly status: number;
  readonly body: string;
}

/** Asks a port of this machine for another protocol: SPDY, unless the headers say otherwise. */
export function switchProtocol(options: SwitchOptions): Promise<Switched | Refused> {
  const { port, path, method = 'POST', token, signal } = options;
  const request = httpsRequest({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      ...options.headers,
    },
    ...(signal && { signal }),
    rejectUnauthorized: false,
    agent: false,
  });
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('upgrade', ({ headers }, socket: Socket, head) => {
      socket.on('error', () => socket.destroy());
      if (head.length > 0) socket.unshift(head);
      resolve({ headers, socket });
    });
    request.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      text(response).then((body) => resolve({ status, body }), reject);
    });
    request.end();
  });
}
