import { X509Certificate } from 'node:crypto';
import { parseKubeconfig, selectContext } from '@liqo/kube/node';

/** Who somebody is, and where. */
export interface Credentials {
  readonly cluster: string;
  readonly user: string;
  readonly groups: readonly string[];
  /** When the cluster stops accepting them; absent for those that were written by hand. */
  readonly notAfterMs?: number;
}

/** By hand: in a simulated world such a kubeconfig says no more than that. */
export function writeKubeconfig(credentials: Credentials): string {
  return JSON.stringify(credentials);
}

/** Where a simulated cluster says that it is reached. */
export function addressOf(cluster: string): string {
  return `https://${cluster}.example:6443`;
}

/** One that was written by hand, or the product's own, whose client certificate says who it is. */
export function readKubeconfig(text: string): Credentials {
  try {
    return text.startsWith('{') ? (JSON.parse(text) as Credentials) : readIssued(text);
  } catch (cause) {
    throw new Error('Cannot read the kubeconfig: it is none', { cause });
  }
}

function readIssued(text: string): Credentials {
  const { cluster, user } = selectContext(parseKubeconfig(text, 'the kubeconfig'));
  const [name = ''] = new URL(cluster.cluster.server ?? '').hostname.split('.');
  const certificate = Buffer.from(user.user['client-certificate-data'] ?? '', 'base64');
  const { subject, validTo } = new X509Certificate(certificate);
  return {
    cluster: name,
    user: valuesOf(subject, 'CN')[0] ?? '',
    groups: valuesOf(subject, 'O'),
    notAfterMs: Date.parse(validTo),
  };
}

/** One attribute in each line: `CN=rome`. */
function valuesOf(subject: string, attribute: string): readonly string[] {
  const lines = subject.split('\n').filter((line) => line.startsWith(`${attribute}=`));
  return lines.map((line) => line.slice(attribute.length + 1));
}
