import type { Tenant } from '@liqo/api';
import { controlPlaneSubject, forgeTenant } from '@liqo/model';
import type { ClusterKeys } from './cluster-keys.ts';

interface OwnTenant {
  readonly consumerID: string;
  /** At the provider. */
  readonly namespace: string;
  readonly keys: ClusterKeys;
  /** Base64. */
  readonly signature: string;
  readonly proxyURL?: string | undefined;
}

/** What a consumer shows to a provider: its public key, a request for a certificate, and the signed nonce. */
export async function forgeOwnTenant(own: OwnTenant): Promise<Tenant> {
  const { consumerID, keys, signature, proxyURL } = own;
  // Loaded when it is needed: it takes its time.
  const { forgeCertificateRequest } = await import('@liqo/kube/x509');
  const subject = controlPlaneSubject(consumerID);
  const csr = forgeCertificateRequest({ subject, key: keys.privateKey });
  const publicKey = keys.publicKey.export({ format: 'pem', type: 'spki' });
  return forgeTenant(
    {
      consumerClusterID: consumerID,
      publicKey: Buffer.from(publicKey).toString('base64'),
      csr: Buffer.from(csr).toString('base64'),
      signature,
      ...(proxyURL !== undefined && { proxyURL }),
    },
    own.namespace,
  );
}
