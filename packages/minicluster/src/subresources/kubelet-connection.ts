import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { ApiError, isJsonObject, type Node } from '@liqo/kube';
import type { Status } from 'kubernetes-types/meta/v1.d.ts';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { ObjectStore } from '../rest/object-store.ts';
import { internalError } from '../rest/refusal.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import type { Item } from '../store/collection.ts';

/** Who the API server is to a kubelet. */
export interface KubeletCredentials {
  readonly cert: string;
  readonly key: string;
}

/** Passes requests on to the kubelets of the nodes, as the API server does for logs and streams. */
export class KubeletConnection {
  readonly #parts: ServerParts;
  readonly #credentials: KubeletCredentials | undefined;

  constructor(parts: ServerParts, credentials: KubeletCredentials | undefined) {
    this.#parts = parts;
    this.#credentials = credentials;
  }

  /** The kubelet's answer, streamed. */
  get(nodeName: string, path: string, signal: AbortSignal): Promise<ApiAnswer> {
    return new Promise((resolve, reject) => {
      const request = this.#request(nodeName, path, 'GET', {}, signal);
      request.once('response', (response) => {
        settle(response).then(resolve, reject);
      });
      request.once('error', (error) => reject(unreachable(request, error)));
      request.end();
    });
  }

  /** A connection switched to the protocol the client asked for; what it carries is not looked at. */
  upgrade(nodeName: string, path: string, client: ApiRequest): Promise<ApiAnswer> {
    const { authorization: _, host: __, ...headers } = client.headers;
    return new Promise((resolve, reject) => {
      const request = this.#request(nodeName, path, client.method, headers, client.signal);
      request.once('upgrade', (response, stream: Duplex, head) => {
        if (head.length > 0) stream.unshift(head);
        resolve({ status: 101, headers: plainHeaders(response), upgraded: stream });
      });
      request.once('response', (response) => {
        settle(response).then(resolve, reject);
      });
      request.once('error', (error) => reject(unreachable(request, error)));
      request.end();
    });
  }

  #request(
    nodeName: string,
    path: string,
    method: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): ClientRequest {
    const { host, port } = this.#addressOf(nodeName);
    return httpsRequest({
      host,
      port,
      path,
      method,
      headers,
      signal,
      agent: false,
      ...this.#credentials,
      // As a stock API server does: kubelets serve with certificates of their own making.
      rejectUnauthorized: false,
    });
  }

  #addressOf(nodeName: string): { host: string; port: number } {
    const resource = this.#parts.registry.find('', 'v1', 'nodes');
    const node = resource && new ObjectStore(this.#parts.store, resource).get(nodeName);
    if (!node) throw internalError(new Error(`nodes "${nodeName}" not found`));
    const { addresses = [], daemonEndpoints } = (node as Item & Node).status ?? {};
    const byType = (type: string) => addresses.find((address) => address.type === type)?.address;
    const host = byType('InternalIP') ?? byType('Hostname') ?? byType('ExternalIP');
    if (!host) throw internalError(new Error(`no preferred addresses found; known addresses: []`));
    return { host, port: daemonEndpoints?.kubeletEndpoint?.Port || 10250 };
  }
}

/** A body that streams, or the refusal that the kubelet worded. */
async function settle(response: IncomingMessage): Promise<ApiAnswer> {
  const { statusCode = 500 } = response;
  if (statusCode < 400) {
    return { status: statusCode, headers: plainHeaders(response), stream: response };
  }
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  throw new ApiError(statusFrom(statusCode, text));
}

function statusFrom(code: number, text: string): Status {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isJsonObject(parsed) && parsed.kind === 'Status') return parsed as Status;
  } catch {
    // Kubelets answer in plain words, which become the message.
  }
  return { status: 'Failure', code, message: text.trim() };
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}

function unreachable(request: ClientRequest, error: Error): ApiError {
  const url = `https://${request.getHeader('host')}${request.path}`;
  return internalError(new Error(`error dialing backend: ${error.message} (${url})`));
}
