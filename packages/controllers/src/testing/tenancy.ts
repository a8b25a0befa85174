import { annotations, labels } from '@liqo/api';
import { Namespace, RoleBinding, Secret } from '@liqo/kube';
import { forgeTenantNamespace } from '@liqo/model';
import type { TestCluster } from './start-cluster.ts';

/** What the handshake leaves behind: a tenant namespace on both sides, and credentials of the consumer at the provider. */
export async function introduce(consumer: TestCluster, provider: TestCluster): Promise<void> {
  const { clusterID } = consumer.context;
  await createTenantNamespace(consumer, provider.context.clusterID);
  await createTenantNamespace(provider, clusterID);
  const group = 'rbac.authorization.k8s.io';
  await provider.client.create(RoleBinding, {
    metadata: {
      name: 'liqo-binding-liqo-remote-controlplane',
      namespace: `liqo-tenant-${clusterID}`,
    },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
    subjects: [{ apiGroup: group, kind: 'User', name: clusterID }],
  });
  await consumer.client.create(Secret, controlPlaneSecret(consumer, provider));
}

export function controlPlaneSecret(consumer: TestCluster, provider: TestCluster): Secret {
  const peer = provider.context.clusterID;
  const { clusterID } = consumer.context;
  const kubeconfig = provider.cluster.kubeconfigFor({ name: clusterID, groups: [clusterID] });
  return {
    metadata: {
      name: `kubeconfig-controlplane-${peer}`,
      namespace: `liqo-tenant-${peer}`,
      labels: { [labels.identityType]: 'ControlPlane', [labels.remoteClusterID]: peer },
      annotations: { [annotations.remoteTenantNamespace]: `liqo-tenant-${clusterID}` },
    },
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  };
}

export async function createTenantNamespace(
  where: Pick<TestCluster, 'client'>,
  peer: string,
): Promise<void> {
  await where.client.create(Namespace, forgeTenantNamespace(peer));
}
