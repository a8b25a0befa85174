import { ownMember, type Query } from '@liqo/kube';
import { HttpRefusal } from '../http-refusal.ts';
import type { Route } from '../route.ts';

type StreamRoute = Extract<Route, { readonly type: 'stream' }>;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A kubelet and an API server spell the same wishes differently. */
const wishes = [
  ['stdin', 'input'],
  ['stdout', 'output'],
  ['stderr', 'error'],
  ['tty', 'tty'],
] as const;

/** The query of an API server's subresource for what was asked of a kubelet. */
export function streamQuery({ verb, container, query }: StreamRoute): Query {
  if (verb === 'portforward') return { ports: portsIn(query) };
  const wanted = wishes.filter((names) => names.some((name) => isSet(query.get(name))));
  return {
    container,
    ...(verb === 'exec' && { command: query.getAll('command') }),
    ...Object.fromEntries(wanted.map(([name]) => [name, true])),
  };
}

function isSet(value: string | null): boolean {
  return value === '1' || value === 'true';
}

/** Only a WebSocket names them here; on SPDY each pair of streams does. */
function portsIn(query: URLSearchParams): readonly string[] {
  const ports = [...query.getAll('port'), ...query.getAll('ports')].flatMap((text) =>
    text.split(','),
  );
  const wrong = ports.find((port) => !/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535);
  if (wrong === undefined) return ports;
  throw new HttpRefusal(400, `Cannot forward a port: "${wrong.slice(0, 20)}" is none`, {
    reason: 'BadRequest',
  });
}

/** What a caller asks to switch to; throws an `HttpRefusal` when it is nothing that API servers speak. */
export function wantedProtocol({ upgrade }: Headers): 'SPDY/3.1' | 'websocket' {
  const offers = String(upgrade ?? '')
    .toLowerCase()
    .split(',');
  const offered = offers.map((offer) => offer.trim());
  if (offered.includes('websocket')) return 'websocket';
  if (offered.includes('spdy/3.1')) return 'SPDY/3.1';
  const message = 'Cannot switch protocols: SPDY/3.1 and WebSocket are spoken here';
  throw new HttpRefusal(400, message, { reason: 'BadRequest' });
}

const requestHeaders: readonly string[] = [
  'x-stream-protocol-version',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
];

/** Those headers of the request that belong to the protocol. Whatever else the caller sent was meant for this node. */
export function protocolHeaders(headers: Headers): Record<string, string> {
  const passed = requestHeaders.map((name) => {
    const value = [ownMember(headers, name) ?? []].flat().join(', ');
    return [name, name === 'sec-websocket-protocol' ? withoutTokens(value) : value] as const;
  });
  return Object.fromEntries(passed.filter(([, value]) => value !== ''));
}

/** Browsers hide the token of their user among the protocols: it is not for the provider. */
function withoutTokens(protocols: string): string {
  const kept = protocols.split(',').map((protocol) => protocol.trim());
  return kept.filter((protocol) => !protocol.startsWith(tokenPrefix)).join(', ');
}

const tokenPrefix = 'base64url.bearer.authorization.k8s.io.';

const answerHeaders: readonly string[] = [
  'upgrade',
  'x-stream-protocol-version',
  'sec-websocket-accept',
  'sec-websocket-protocol',
  'sec-websocket-extensions',
];

/** The head of the answer that switches, with what the provider agreed to. */
export function switchingHead(headers: Headers): string {
  const lines = answerHeaders.flatMap((name) => {
    const value = ownMember(headers, name);
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const head = ['HTTP/1.1 101 Switching Protocols', 'connection: Upgrade', ...lines];
  return `${head.join('\r\n')}\r\n\r\n`;
}
