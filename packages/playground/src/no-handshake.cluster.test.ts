import { annotations, ForeignCluster, labels, ResourceSlice, Tenant } from '@liqo/api';
import { findCondition, Namespace, Node, RoleBinding, Secret } from '@liqo/kube';
import { forgeTenantNamespace } from '@liqo/model';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';

const patient = { timeoutMs: 60_000 };
const atRome = 'liqo-tenant-milan';
const atMilan = 'liqo-tenant-rome';

test('manifests alone give a Ready node without a handshake, with credentials of another origin', async () => {
  await using world = await startWorld({
    kubernetes: await embeddedKubernetes({ clock: systemClock, random: systemRandom }),
    consumer: 'rome',
    providers: ['milan'],
    unpeered: true,
  });
  const [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  await milan.client.create(Namespace, forgeTenantNamespace('rome'));
  await milan.client.create(Tenant, {
    metadata: { name: 'rome', namespace: atMilan },
    spec: { clusterID: 'rome', authzPolicy: 'TolerateNoHandshake', tenantCondition: 'Active' },
  });
  const apiGroup = 'rbac.authorization.k8s.io';
  await milan.client.create(RoleBinding, {
    metadata: { name: 'rome-by-hand', namespace: atMilan },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'liqo-remote-controlplane' },
    subjects: [{ apiGroup, kind: 'User', name: 'rome' }],
  });
  await rome.client.create(Namespace, forgeTenantNamespace('milan'));
  // The Secret may have any name: its labels say what it is.
  const kubeconfig = milan.kubeconfigFor({ name: 'rome', groups: ['liqo.io'] });
  await rome.client.create(Secret, {
    metadata: {
      name: 'way-to-milan',
      namespace: atRome,
      labels: { [labels.identityType]: 'ControlPlane', [labels.remoteClusterID]: 'milan' },
      annotations: { [annotations.remoteTenantNamespace]: atMilan },
    },
    data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
  });
  await rome.client.create(ResourceSlice, {
    metadata: {
      name: 'mypool',
      namespace: atRome,
      annotations: { [annotations.createVirtualNode]: 'true' },
      labels: {
        [labels.replication]: 'true',
        [labels.replicationDestination]: 'milan',
        [labels.remoteClusterID]: 'milan',
      },
    },
    spec: { class: 'default', providerClusterID: 'milan', resources: { cpu: '2' } },
  });
  await eventually(async () => {
    const node = await rome.client.get(Node, { name: 'mypool' });
    expect(findCondition(node?.status?.conditions, 'Ready')).toMatchObject({ status: 'True' });
  }, patient);
  const tenant = await milan.client.get(Tenant, { namespace: atMilan, name: 'rome' });
  expect(findCondition(tenant?.status?.conditions, 'Authentication')).toMatchObject({
    status: 'Accepted',
    reason: 'HandshakeNotRequired',
  });
  expect(tenant?.status?.authParams).toBeUndefined();
  await eventually(async () => {
    const peer = await rome.client.get(ForeignCluster, { name: 'milan' });
    expect(findCondition(peer?.status?.conditions, 'APIServerStatus')?.status).toBe('Established');
  }, patient);
}, 180_000);
