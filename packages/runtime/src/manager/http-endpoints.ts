import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownMember } from '@liqo/kube';
import type { Logger } from '../log/log.ts';

export interface EndpointAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export type Endpoint = (query: URLSearchParams) => Promise<EndpointAnswer>;

export interface HttpEndpointsOptions {
  /** Zero for any that is free. */
  readonly port: number;
  /** All addresses when absent. */
  readonly host?: string;
  /** By path. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly log: Logger;
}

export interface HttpEndpoints extends AsyncDisposable {
  readonly port: number;
}

/** A few pages to be read by machines, over plain HTTP. */
export async function startHttpEndpoints(options: HttpEndpointsOptions): Promise<HttpEndpoints> {
  const server = createServer((request, response) => {
    void answer(options, request, response);
  });
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => close(server) };
}

async function answer(
  { endpoints, log }: HttpEndpointsOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '', query] = (request.url ?? '').split('?', 2);
  try {
    const endpoint = ownMember(endpoints, path);
    const asked = new URLSearchParams(query);
    const { status, contentType, body } = await answerTo(endpoint, request.method, asked);
    response.writeHead(status, {
      'content-type': contentType,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache, private',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  } catch (err) {
    log.error('Cannot answer a request', { path, err });
    response.writeHead(500).end();
  }
}

async function answerTo(
  endpoint: Endpoint | undefined,
  method: string | undefined,
  query: URLSearchParams,
): Promise<EndpointAnswer> {
  if (!endpoint) return plainAnswer(404, 'not found\n');
  if (method !== 'GET' && method !== 'HEAD') return plainAnswer(405, 'method not allowed\n');
  return endpoint(query);
}

export function plainAnswer(status: number, body: string): EndpointAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

function listen(server: Server, { port, host }: HttpEndpointsOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const where = `${host ?? '*'}:${port}`;
    server.once('error', (cause) =>
      reject(new Error(`Cannot listen on "${where}": ${cause.message}`, { cause })),
    );
    server.listen({ port, host }, resolve);
  });
}

/** Requests in progress are cut off: whoever asks, asks again. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
