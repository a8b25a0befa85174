import { readFile } from 'node:fs/promises';
import { type Kubeconfig, printKubeconfig } from '@liqo/kube/node';
import type { Cluster } from '../cluster/connect-cluster.ts';

interface UserParts {
  readonly consumerID: string;
  readonly tenantNamespace: string;
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** A kubeconfig that leads where the one of the administrator does, with nothing of the administrator's credentials in it. */
export async function forgePeeringUserKubeconfig(
  { endpoint }: Cluster,
  { consumerID, tenantNamespace: namespace, certificatePem, keyPem }: UserParts,
): Promise<string> {
  const user = `${consumerID}-user`;
  const context = `${user}@${consumerID}`;
  const config: Kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: consumerID, cluster: await publicPart(endpoint) }],
    users: [
      {
        name: user,
        user: {
          'client-certificate-data': encode(certificatePem),
          'client-key-data': encode(keyPem),
        },
      },
    ],
    contexts: [{ name: context, context: { cluster: consumerID, user, namespace } }],
    'current-context': context,
  };
  return printKubeconfig(config);
}

/** Files of this machine become data; what a proxy asks for to let the administrator through stays out. */
async function publicPart(endpoint: Cluster['endpoint']): Promise<Cluster['endpoint']> {
  const { 'certificate-authority': file, 'proxy-url': proxy, extensions: _, ...rest } = endpoint;
  const isFile = file !== undefined && rest['certificate-authority-data'] === undefined;
  return {
    ...rest,
    ...(isFile && { 'certificate-authority-data': (await readFile(file)).toString('base64') }),
    ...(proxy !== undefined && { 'proxy-url': withoutCredentials(proxy) }),
  };
}

function withoutCredentials(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}

function encode(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
