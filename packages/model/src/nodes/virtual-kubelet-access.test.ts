import { expect, test } from 'vitest';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import { forgeVirtualKubeletAccess } from './virtual-kubelet-access.ts';

const account = { kind: 'ServiceAccount', name: 'mynode', namespace: 'liqo-tenant-milan' };

test('forgeVirtualKubeletAccess() binds the account as Liqo v1.2.0 does', () => {
  const { serviceAccount, clusterRoleBinding } = forgeVirtualKubeletAccess(storedVirtualNode());
  expect(serviceAccount.metadata).toMatchObject({
    name: 'mynode',
    namespace: 'liqo-tenant-milan',
    labels: { 'liqo.io/managed': 'true' },
  });
  expect(clusterRoleBinding).toMatchObject({
    metadata: {
      name: 'liqo-node-mynode',
      labels: {
        'app.kubernetes.io/managed-by': 'liqo',
        'liqo.io/managed': 'true',
        'liqo.io/remote-cluster-id': 'milan',
      },
    },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'liqo-virtual-kubelet-local',
    },
    subjects: [account],
  });
});

test('forgeVirtualKubeletAccess() lets it read its one Secret, and no other', () => {
  const { role, roleBinding } = forgeVirtualKubeletAccess(storedVirtualNode());
  const rules = role.rules?.filter(({ resources }) => resources?.includes('secrets'));
  expect(rules).toEqual([
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: ['kubeconfig-resourceslice-mynode'],
      verbs: ['get', 'list', 'watch'],
    },
  ]);
  expect(roleBinding).toMatchObject({
    roleRef: { kind: 'Role', name: 'mynode' },
    subjects: [account],
  });
});

test('forgeVirtualKubeletAccess() lets it write the status of its own VirtualNode, and of no other', () => {
  const { role } = forgeVirtualKubeletAccess(storedVirtualNode());
  const rules = role.rules?.filter(({ resources }) => resources?.includes('virtualnodes/status'));
  expect(rules).toMatchObject([{ resourceNames: ['mynode'], verbs: ['patch'] }]);
});

test('forgeVirtualKubeletAccess() lets it renew its own Lease and that of its provider, and no other', () => {
  const { role, leaseRole, leaseRoleBinding } = forgeVirtualKubeletAccess(storedVirtualNode());
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  const own = { ...leases, resourceNames: ['mynode'], verbs: ['get', 'update'] };
  expect(leaseRole).toMatchObject({
    metadata: { namespace: 'kube-node-lease' },
    rules: [{ ...leases, verbs: ['create'] }, own],
  });
  const shared = 'virtual-kubelet-leader-election-milan';
  expect(role.rules).toContainEqual({ ...own, resourceNames: ['mynode', shared] });
  expect(leaseRoleBinding).toMatchObject({
    metadata: { namespace: 'kube-node-lease' },
    roleRef: { kind: 'Role', name: leaseRole.metadata?.name },
    subjects: [account],
  });
});

test('forgeVirtualKubeletAccess() has no wildcards', () => {
  const { role, leaseRole } = forgeVirtualKubeletAccess(storedVirtualNode());
  const rules = [...(role.rules ?? []), ...(leaseRole.rules ?? [])];
  const words = rules.flatMap(({ apiGroups = [], resources = [], verbs }) => [
    ...apiGroups,
    ...resources,
    ...verbs,
  ]);
  expect(words).not.toContain('*');
});
