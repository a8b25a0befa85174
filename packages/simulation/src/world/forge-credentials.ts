import { labels, tenantNamespaceName } from '@liqo/api';
import type { Secret } from '@liqo/kube';
import { writeKubeconfig } from './kubeconfig.ts';

/** A Secret with credentials of the consumer at the provider; whoever has them is in the consumer's group. */
export function forgeCredentials(
  consumer: string,
  provider: string,
  { name, user }: { readonly name: string; readonly user: string },
): Secret {
  const kubeconfig = writeKubeconfig({ cluster: provider, user, groups: [consumer] });
  return {
    metadata: {
      name,
      namespace: tenantNamespaceName(provider),
      labels: { [labels.remoteClusterID]: provider },
    },
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  };
}
