import type { ApiRequest } from '../rest/api-request.ts';
import type { PlainHeaders } from './backend.ts';

/** They are about one connection, and mean nothing on another. */
const hopByHop: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** What the client proves itself with is the API server's alone. */
function isPrivate(name: string): boolean {
  return name === 'authorization' || name.startsWith('impersonate-');
}

/** The headers of a request that is passed on: those of the client, and who the client is. */
export function passedHeaders({ sent, headers }: ApiRequest): Record<string, string> {
  // A body that the server has read as JSON is passed on as it was sent.
  const all = Object.entries(sent?.headers ?? headers);
  // HTTP/2 has names with a colon; one of them is the host.
  const named = all.map(([name, value]) => [name === ':authority' ? 'host' : name, value] as const);
  const kept = named.filter(([name]) => !isPrivate(name) && !name.startsWith(':'));
  const result = Object.fromEntries(kept);
  if (!sent?.remoteAddress) return result;
  const hops = [result['x-forwarded-for'], sent.remoteAddress].filter(Boolean);
  return { ...result, 'x-forwarded-for': hops.join(', ') };
}

export function withoutHopByHop(headers: PlainHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !hopByHop.includes(name));
  return Object.fromEntries(kept);
}

/** Whether a request asks for another protocol. */
export function asksForUpgrade({ headers }: ApiRequest): boolean {
  return headers.connection?.toLowerCase().includes('upgrade') ?? false;
}
