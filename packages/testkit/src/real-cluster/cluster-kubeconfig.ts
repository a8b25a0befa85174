import { forgeKubeconfig, type Kubeconfig } from '@liqo/kube/node';
import type { ApiServerAccess } from './probe.ts';

/** A kubeconfig that needs no other file. */
export function forgeClusterKubeconfig(name: string, access: ApiServerAccess): Kubeconfig {
  const { certificate: clientCertificatePem, privateKey: clientKeyPem } = access.identity;
  return forgeKubeconfig({
    name,
    server: access.server,
    caPem: access.ca,
    user: { clientCertificatePem, clientKeyPem },
  });
}
