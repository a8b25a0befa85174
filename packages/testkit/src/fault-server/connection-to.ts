import { createSecureContext } from 'node:tls';
import type { Connection, ConnectionTls, RequestCredentials } from '@liqo/kube/node';
import type { KeyPair } from '../real-cluster/certificate-authority.ts';

export interface ConnectionToOptions {
  readonly proxyUrl?: URL;
  /** Absent: the public authorities. */
  readonly authority?: string;
  readonly serverName?: string;
  /** Asked before every request, so that a test can change it. */
  readonly identity?: () => TestIdentity;
  /** Called at a 401; resolves to whether the request is worth repeating. */
  readonly onUnauthorized?: () => Promise<boolean>;
}

interface TestIdentity {
  readonly headers?: RequestCredentials['headers'];
  readonly client?: KeyPair;
}

/** How to reach a server of a test, without a kubeconfig. */
export function connectionTo(server: URL, options: ConnectionToOptions = {}): Connection {
  const { proxyUrl, onUnauthorized = async () => false } = options;
  const identity: () => TestIdentity = options.identity ?? (() => ({}));
  const generations = new Map<KeyPair | undefined, number>();
  const generationOf = (client: KeyPair | undefined): number => {
    if (!generations.has(client)) generations.set(client, generations.size + 1);
    return generations.get(client) ?? 0;
  };
  return {
    server,
    namespace: 'default',
    proxyUrl,
    async tls(): Promise<ConnectionTls> {
      const { client } = identity();
      return { ...tlsOf(options, client), generation: generationOf(client) };
    },
    async credentials(): Promise<RequestCredentials> {
      const { headers = {}, client } = identity();
      return { headers, tlsGeneration: generationOf(client) };
    },
    onUnauthorized,
  };
}

function tlsOf({ authority, serverName }: ConnectionToOptions, client: KeyPair | undefined) {
  const secureContext = createSecureContext({
    ...(authority !== undefined && { ca: authority }),
    ...(client && { cert: client.certificate, key: client.privateKey }),
  });
  return { secureContext, ...(serverName !== undefined && { servername: serverName }) };
}
