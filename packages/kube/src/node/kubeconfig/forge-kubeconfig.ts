import type { Kubeconfig, KubeconfigUser } from './kubeconfig.ts';

export interface KubeconfigParts {
  /** Of the cluster, the user and the context alike. */
  readonly name: string;
  readonly server: string | URL;
  /** The authority that signed the server's certificate; without one the public authorities are trusted. */
  readonly caPem?: string | undefined;
  readonly user: TokenUser | CertificateUser;
  readonly namespace?: string | undefined;
}

interface TokenUser {
  readonly token: string;
}

interface CertificateUser {
  readonly clientCertificatePem: string;
  readonly clientKeyPem: string;
}

/** A kubeconfig with one cluster, one user and one context, which needs no other file. */
export function forgeKubeconfig({ name, ...parts }: KubeconfigParts): Kubeconfig {
  const authority = parts.caPem && { 'certificate-authority-data': encode(parts.caPem) };
  const namespace = parts.namespace && { namespace: parts.namespace };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: String(parts.server), ...authority } }],
    users: [{ name, user: forgeUser(parts.user) }],
    contexts: [{ name, context: { cluster: name, user: name, ...namespace } }],
    'current-context': name,
  };
}

function forgeUser(user: TokenUser | CertificateUser): KubeconfigUser {
  if ('token' in user) return { token: user.token };
  return {
    'client-certificate-data': encode(user.clientCertificatePem),
    'client-key-data': encode(user.clientKeyPem),
  };
}

function encode(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
