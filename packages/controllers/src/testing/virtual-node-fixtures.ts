import { labels, type VirtualNode, VkOptionsTemplate } from '@liqo/api';
import { Namespace, Secret } from '@liqo/kube';
import type { TestCluster } from './start-cluster.ts';

export const tenantNamespace = 'liqo-tenant-milan';
export const kubeconfigSecret = 'kubeconfig-resourceslice-mypool';

export const defaultOptions: VkOptionsTemplate = {
  metadata: { name: 'virtual-kubelet-default', namespace: 'liqo' },
  spec: {
    containerImage: 'localhost/liqo:dev',
    createNode: true,
    disableNetworkCheck: false,
    metricsEnabled: false,
    extraLabels: { team: 'blue' },
    resources: { requests: { cpu: '1000m' } },
  },
};

/** What a consumer has before its first virtual node. */
export async function prepareConsumer({ client, cluster }: TestCluster): Promise<void> {
  const marks = { [labels.remoteClusterID]: 'milan', [labels.tenantNamespace]: 'true' };
  await client.create(Namespace, { metadata: { name: tenantNamespace, labels: marks } });
  await client.create(VkOptionsTemplate, defaultOptions);
  await client.create(Secret, secretWith(kubeconfigSecret, cluster.kubeconfigText));
}

export function secretWith(name: string, kubeconfig: string): Secret {
  return {
    metadata: { name, namespace: tenantNamespace, labels: { [labels.remoteClusterID]: 'milan' } },
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  };
}

export function virtualNodeCalled(
  name: string,
  spec: Partial<VirtualNode['spec']> = {},
): VirtualNode {
  return {
    metadata: { name, namespace: tenantNamespace },
    spec: {
      clusterID: 'milan',
      createNode: true,
      kubeconfigSecretRef: { name: kubeconfigSecret },
      resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '110' } },
      ...spec,
    },
  };
}
