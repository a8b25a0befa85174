import { Client, type ClientOptions } from '../client.ts';
import { HttpTransport } from './http-transport.ts';
import type { Connection } from './kubeconfig/connection.ts';
import type { Kubeconfig } from './kubeconfig/kubeconfig.ts';
import {
  type ResolveConnectionOptions,
  resolveConnection,
} from './kubeconfig/resolve-connection.ts';
import { type ContextChoice, selectContext } from './kubeconfig/select-context.ts';

/** A client of the server that a connection leads to. Nothing is sent before the first call. */
export function connectClient(
  connection: Connection,
  options: Omit<ClientOptions, 'transport'>,
): Client {
  return new Client({ ...options, transport: new HttpTransport(connection, options.clock) });
}

/** The same from a kubeconfig, as whoever its current context, or the one chosen, says. */
export async function connectKubeconfig(
  config: Kubeconfig,
  options: Omit<ClientOptions, 'transport'> & Omit<ResolveConnectionOptions, 'clock'>,
  choice: ContextChoice = {},
): Promise<Client> {
  return connectClient(await resolveConnection(selectContext(config, choice), options), options);
}
