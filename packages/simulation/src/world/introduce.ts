import {
  annotations,
  controlPlaneIdentityName,
  kubeconfigSecretName,
  labels,
  tenantNamespaceName,
} from '@liqo/api';
import { type Client, Namespace, RoleBinding, Secret } from '@liqo/kube';
import { writeKubeconfig } from './kubeconfig.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/** What the handshake of two clusters leaves behind: namespaces about each other, rights, and the consumer's credentials. */
export async function introduce(
  consumer: SimulatedCluster,
  provider: SimulatedCluster,
): Promise<void> {
  await createTenantNamespace(consumer.admin, provider.name);
  await createTenantNamespace(provider.admin, consumer.name);
  const apiGroup = 'rbac.authorization.k8s.io';
  await provider.admin.create(RoleBinding, {
    metadata: {
      name: 'liqo-binding-liqo-remote-controlplane',
      namespace: tenantNamespaceName(consumer.name),
      labels: { [labels.remoteClusterID]: consumer.name },
    },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
    subjects: [{ apiGroup, kind: 'User', name: consumer.name }],
  });
  const secret = forgeCredentials(consumer.name, provider.name, {
    name: kubeconfigSecretName(controlPlaneIdentityName(provider.name)),
    user: consumer.name,
  });
  await consumer.admin.create(Secret, {
    ...secret,
    metadata: {
      ...secret.metadata,
      labels: { ...secret.metadata?.labels, [labels.identityType]: 'ControlPlane' },
      annotations: { [annotations.remoteTenantNamespace]: tenantNamespaceName(consumer.name) },
    },
  });
}

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

async function createTenantNamespace(client: Client, peer: string): Promise<void> {
  const marks = { [labels.remoteClusterID]: peer, [labels.tenantNamespace]: 'true' };
  await client.create(Namespace, { metadata: { name: tenantNamespaceName(peer), labels: marks } });
}
