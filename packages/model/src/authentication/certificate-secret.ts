import { labels } from '@liqo/api';
import type { Secret } from '@liqo/kube';
import type { ownerReference } from './owner-reference.ts';
import type { WantedCertificate } from './signing-request.ts';

export type OwnerReference = ReturnType<typeof ownerReference>;

/**
 * The Secret that keeps a certificate and the request that it answers. Its owner is the object that the certificate is for:
 * nothing is left of a consumer that has gone.
 */
export function forgeCertificateSecret(
  { csr, consumerClusterID, secret }: WantedCertificate,
  certificate: string,
  owner: OwnerReference,
): Secret {
  return {
    metadata: {
      name: secret.name,
      namespace: secret.namespace ?? '',
      labels: { [labels.managed]: 'true', [labels.remoteClusterID]: consumerClusterID },
      ownerReferences: [owner],
    },
    type: 'Opaque',
    data: { csr, certificate },
  };
}
