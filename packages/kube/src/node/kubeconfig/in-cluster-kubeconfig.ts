import { readFile, stat } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Kubeconfig } from './kubeconfig.ts';

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface InClusterOptions {
  readonly env?: Environment | undefined;
  /** Where the service account's token, authority and namespace are mounted. */
  readonly serviceAccountDir?: string | undefined;
}

/**
 * The kubeconfig of a process in a pod: the API server from the environment, the service account from its folder. The
 * token is referred to as a file, since the kubelet replaces it every hour or so. `undefined` outside of a pod.
 */
export async function inClusterKubeconfig(
  options: InClusterOptions = {},
): Promise<Kubeconfig | undefined> {
  const env = options.env ?? process.env;
  const folder = options.serviceAccountDir ?? '/var/run/secrets/kubernetes.io/serviceaccount';
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host || !port || !(await isFile(join(folder, 'token')))) return undefined;
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return forgeInCluster(server, folder, await namespaceOf(env, folder));
}

function forgeInCluster(server: string, folder: string, namespace: string): Kubeconfig {
  const name = 'in-cluster';
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority': join(folder, 'ca.crt') } }],
    users: [{ name, user: { tokenFile: join(folder, 'token') } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
  };
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    // Whatever keeps the file from being looked at, this process has no service account to use.
    return false;
  }
}

async function namespaceOf(env: Environment, folder: string): Promise<string> {
  if (env.POD_NAMESPACE) return env.POD_NAMESPACE;
  try {
    return (await readFile(join(folder, 'namespace'), 'utf8')).trim() || 'default';
  } catch {
    // A service account mounted by hand often comes without it, and kubectl makes do.
    return 'default';
  }
}
