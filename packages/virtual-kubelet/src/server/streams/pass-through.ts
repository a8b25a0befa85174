import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { Client, Clock, UpgradedConnection } from '@liqo/kube';
import { refusalOfProvider } from '../provider-access.ts';
import type { Route } from '../route.ts';
import { joinConnections } from './join-connections.ts';
import { protocolHeaders, streamQuery, switchingHead, wantedProtocol } from './stream-request.ts';

type StreamRoute = Extract<Route, { readonly type: 'stream' }>;

/** How long the provider may take to switch. */
const timeoutMs = 30_000;

/**
 * Opens the same stream at the provider and joins both connections; what they carry is not looked at. The route names
 * the pod as the provider knows it. Throws an `HttpRefusal` when nothing has been switched.
 */
export async function passThrough(
  { client, clock }: { readonly client: Client; readonly clock: Clock },
  route: StreamRoute,
  { headers }: IncomingMessage,
  near: Duplex,
): Promise<void> {
  const options = {
    protocol: wantedProtocol(headers),
    headers: protocolHeaders(headers),
    query: streamQuery(route),
  };
  const { namespace, pod: name, verb } = route;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  near.once('close', onClose);
  const call = { ...options, signal: gone.signal, timeoutMs };
  const connection = await client.connect({ namespace, name }, verb, call).catch((error) => {
    throw refusalOfProvider(error);
  });
  near.off('close', onClose);
  const far = duplexOf(connection);
  near.write(switchingHead(connection.headers), 'latin1');
  joinConnections(near, far, clock);
}

function duplexOf({ stream }: UpgradedConnection): Duplex {
  if (stream instanceof Duplex) return stream;
  stream.destroy();
  throw new TypeError('Cannot pass a stream on: the transport did not give a Node stream');
}
