import { createSecureContext } from 'node:tls';
import type { Connection } from '@liqo/kube/node';

/** A server on this machine that asks for no credentials. */
export function connectionTo(port: number, ca: string): Connection {
  const credentials = { headers: {}, tlsGeneration: 0 };
  return {
    server: new URL(`https://127.0.0.1:${port}`),
    namespace: 'default',
    proxyUrl: undefined,
    tls: async () => ({ secureContext: createSecureContext({ ca }), generation: 0 }),
    credentials: async () => credentials,
    onUnauthorized: async () => false,
  };
}
