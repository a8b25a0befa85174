import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export interface JsonAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends JSON on a connection of its own, which ends with the answer. Rejects with what Node says. */
export function postJson(
  { url, address, authority, serverName, ca }: WebhookEndpoint,
  body: string,
  signal: AbortSignal,
): Promise<JsonAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      method: 'POST',
      host: address.host,
      port: address.port,
      path: url.pathname + url.search,
      agent: false,
      signal,
      ...(serverName && { servername: serverName }),
      ...(ca && { ca }),
      headers: {
        accept: 'application/json, */*',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        host: authority,
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      readText(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        reject,
      );
    });
    outgoing.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
