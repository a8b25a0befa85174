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

test('forgeVirtualKubeletAccess() has no wildcards', () => {
  const { role } = forgeVirtualKubeletAccess(storedVirtualNode());
  const words = role.rules?.flatMap(({ apiGroups = [], resources = [], verbs }) => [
    ...apiGroups,
    ...resources,
    ...verbs,
  ]);
  expect(words).not.toContain('*');
});
