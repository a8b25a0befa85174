import type { ExecPlugin } from './exec-plugin.ts';
import type { KubeconfigCluster } from './kubeconfig.ts';

const configExtension = 'client.authentication.k8s.io/exec';

/** What a plugin is told in `KUBERNETES_EXEC_INFO`. */
export interface ExecInfo {
  /** Whether its standard input is the terminal of a person. */
  readonly interactive: boolean;
  readonly cluster?: Readonly<Record<string, unknown>> | undefined;
}

export function printExecInfo({ apiVersion }: ExecPlugin, info: ExecInfo): string {
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec: info });
}

/** The cluster as plugins see it: always with the authority itself, never with the name of a file. */
export function execCluster(
  cluster: KubeconfigCluster,
  authorityPem: string | undefined,
): Readonly<Record<string, unknown>> {
  const authority = authorityPem && Buffer.from(authorityPem).toString('base64');
  const config = cluster.extensions?.find(({ name }) => name === configExtension);
  return {
    server: cluster.server,
    'tls-server-name': cluster['tls-server-name'],
    'insecure-skip-tls-verify': cluster['insecure-skip-tls-verify'],
    'certificate-authority-data': authority,
    'proxy-url': cluster['proxy-url'],
    'disable-compression': cluster['disable-compression'],
    config: config?.extension,
  };
}
