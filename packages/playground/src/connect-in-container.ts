import type { Client, Clock, Random } from '@liqo/kube';
import {
  type Connection,
  connectClient,
  forgeKubeconfig,
  type RequestCredentials,
  resolveConnection,
  selectContext,
} from '@liqo/kube/node';
import type { ProgramContext } from '@liqo/minicluster';

export interface ConnectOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly userAgent: string;
}

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The cluster that a container is in, as its service account: by the variables and files that every container has. */
export async function connectInContainer(
  { env, files }: ProgramContext,
  options: ConnectOptions,
): Promise<Client> {
  const token = () => files.get(`${folder}/token`) ?? '';
  const kubeconfig = forgeKubeconfig({
    name: 'in-cluster',
    server: `https://${env.KUBERNETES_SERVICE_HOST}:${env.KUBERNETES_SERVICE_PORT}`,
    caPem: files.get(`${folder}/ca.crt`),
    user: { token: token() },
  });
  const connection = await resolveConnection(selectContext(kubeconfig), options);
  return connectClient(withFreshToken(connection, token), options);
}

/** Tokens are replaced in their file long before they expire. */
function withFreshToken(connection: Connection, token: () => string): Connection {
  let current: RequestCredentials & { readonly token: string } = credentialsOf('');
  const refresh = async () => {
    if (current.token !== token()) current = credentialsOf(token());
    return current;
  };
  return {
    server: connection.server,
    namespace: connection.namespace,
    proxyUrl: connection.proxyUrl,
    tls: (signal) => connection.tls(signal),
    credentials: refresh,
    onUnauthorized: async (refused) => refused !== (await refresh()),
  };
}

function credentialsOf(token: string) {
  return { headers: { authorization: `Bearer ${token}` }, tlsGeneration: 0, token };
}
