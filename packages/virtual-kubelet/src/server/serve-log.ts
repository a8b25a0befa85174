import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Client, Pod, type Query, resourcePath } from '@liqo/kube';
import { refusalOfProvider } from './provider-access.ts';
import type { ContainerTarget } from './route.ts';

/** What may be asked of a log; the provider checks the values. */
const parameters: readonly string[] = [
  'follow',
  'previous',
  'timestamps',
  'tailLines',
  'limitBytes',
  'sinceSeconds',
  'sinceTime',
  'stream',
  'insecureSkipTLSVerifyBackend',
];

/** The query for the log of the provider's pod. */
function logQuery(container: string, asked: URLSearchParams): Query {
  const given = parameters.flatMap((name) => {
    const value = asked.get(name);
    return value ? [[name, value] as const] : [];
  });
  return { container, ...Object.fromEntries(given) };
}

/**
 * Hands the log of a container at the provider on as it comes, no faster than the caller reads. It is not asked for any
 * longer when the caller is gone. Throws an `HttpRefusal` while nothing has been sent.
 */
export async function serveLog(
  client: Client,
  { namespace, pod, container }: ContainerTarget,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const target = { namespace, name: pod, subresource: 'log' };
  const path = resourcePath(Pod, target, logQuery(container, query));
  const headers = { accept: '*/*' };
  const log = await client.raw({ method: 'GET', path, headers }, gone.signal).catch((error) => {
    throw refusalOfProvider(error);
  });
  response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders();
  await pipeline(log.chunks(), response);
}
