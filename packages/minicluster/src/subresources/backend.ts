import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { abortSignalOf, type CallSignal } from '@liqo/kube';

/** Something the API server passes requests on to: a kubelet, a pod. */
export interface Backend {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** As it was asked for; that of the scheme when there is none. */
  readonly port: string;
  /** Where the host really is, when its address leads nowhere. */
  readonly machine?: string | undefined;
  /** Who the API server is to it. */
  readonly credentials?: ClientCredentials | undefined;
}

export interface ClientCredentials {
  readonly cert: string;
  readonly key: string;
}

export interface BackendRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal: CallSignal;
}

/** The connection, when it was switched; otherwise a body to be read. */
export type BackendAnswer = { readonly status: number; readonly headers: PlainHeaders } & (
  | { readonly connection: Duplex }
  | { readonly body: IncomingMessage }
);

export type PlainHeaders = Readonly<Record<string, string>>;

/** Resolves with whatever it answers. Rejects with an error that says in a server's words why it could not be asked. */
export function askBackend(backend: Backend, request: BackendRequest): Promise<BackendAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(backend, request);
    outgoing.once('upgrade', (response, connection: Duplex, head) => {
      if (head.length > 0) connection.unshift(head);
      // Whoever uses it is told by its close.
      connection.on('error', () => connection.destroy());
      resolve({ status: 101, headers: plainHeaders(response), connection });
    });
    outgoing.once('response', (body) => {
      resolve({ status: body.statusCode ?? 500, headers: plainHeaders(body), body });
    });
    outgoing.once('error', (error) =>
      reject(new Error(dialFact(backend, error), { cause: error })),
    );
    outgoing.end(request.body);
  });
}

function openRequest(backend: Backend, request: BackendRequest): ClientRequest {
  const { method, path, headers } = request;
  const { host, port, machine = host, scheme, credentials } = backend;
  const options = {
    host: machine,
    ...(port && { port }),
    path,
    method,
    headers,
    signal: abortSignalOf(request.signal),
    agent: false,
  } as const;
  if (scheme === 'http') return httpRequest(options);
  // As a stock API server does: kubelets serve with certificates of their own making, and pods with anything.
  return httpsRequest({ ...options, ...credentials, rejectUnauthorized: false });
}

/** `host:port`, as a URL has it. */
export function authorityOf({ host, port }: Backend): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port ? `${name}:${port}` : name;
}

const facts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

function dialFact(backend: Backend, error: Error & { readonly code?: string }): string {
  const fact = facts[error.code ?? ''];
  if (error.code === 'ERR_SOCKET_BAD_PORT')
    return `dial tcp: lookup tcp/${backend.port}: unknown port`;
  if (!fact) return error.message;
  const port = backend.port || (backend.scheme === 'https' ? '443' : '80');
  return `dial tcp ${authorityOf({ ...backend, port })}: ${fact}`;
}

function plainHeaders({ headers }: IncomingMessage): PlainHeaders {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}
