import { fixedNames, labels } from '@liqo/api';
import type { Secret } from '@liqo/kube';

/** At the consumer: asks for the signature over the nonce of a provider. The controller fills in `signedNonce`. */
export function forgeSignedNonce(route: {
  readonly provider: string;
  readonly tenantNamespace: string;
  readonly nonce: string;
}): Secret {
  return {
    metadata: {
      name: fixedNames.signedNonceSecret,
      namespace: route.tenantNamespace,
      labels: { [labels.signedNonce]: 'true', [labels.remoteClusterID]: route.provider },
    },
    data: { nonce: btoa(route.nonce) },
  };
}
