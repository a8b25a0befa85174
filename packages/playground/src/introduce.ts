import {
  annotations,
  controlPlaneIdentityName,
  kubeconfigSecretName,
  labels,
  tenantNamespaceName,
} from '@liqo/api';
import { type Client, Namespace, RoleBinding, Secret } from '@liqo/kube';
import type { Peer } from './kubernetes.ts';

/** What the handshake of two clusters leaves behind, written by hand: namespaces about each other, and credentials. */
export async function introduce<C extends Peer<C>>(consumer: C, provider: C): Promise<void> {
  await createTenantNamespace(consumer.client, provider.name);
  await createTenantNamespace(provider.client, consumer.name);
  const group = 'rbac.authorization.k8s.io';
  await provider.client.create(RoleBinding, {
    metadata: {
      name: 'liqo-binding-liqo-remote-controlplane',
      namespace: tenantNamespaceName(consumer.name),
      labels: { [labels.remoteClusterID]: consumer.name },
    },
    roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
    subjects: [{ apiGroup: group, kind: 'User', name: consumer.name }],
  });
  await createKubeconfig(consumer, provider, {
    name: kubeconfigSecretName(controlPlaneIdentityName(provider.name)),
    user: consumer.name,
    labels: { [labels.identityType]: 'ControlPlane' },
    annotations: { [annotations.remoteTenantNamespace]: tenantNamespaceName(consumer.name) },
  });
}

export interface Credentials {
  /** Of the Secret. */
  readonly name: string;
  /** Whom the consumer is at the provider; always in the consumer's group. */
  readonly user: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Credentials of the consumer at the provider, in the tenant namespace of the consumer. */
export async function createKubeconfig<C extends Peer<C>>(
  consumer: C,
  provider: C,
  { name, user, ...credentials }: Credentials,
): Promise<void> {
  const identity = { name: user, groups: [consumer.name] };
  const kubeconfig = await provider.kubeconfigFor(identity, consumer);
  await consumer.client.create(Secret, {
    metadata: {
      name,
      namespace: tenantNamespaceName(provider.name),
      labels: { [labels.remoteClusterID]: provider.name, ...credentials.labels },
      ...(credentials.annotations && { annotations: { ...credentials.annotations } }),
    },
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  });
}

async function createTenantNamespace(client: Client, peer: string): Promise<void> {
  const marks = { [labels.remoteClusterID]: peer, [labels.tenantNamespace]: 'true' };
  await client.create(Namespace, { metadata: { name: tenantNamespaceName(peer), labels: marks } });
}
