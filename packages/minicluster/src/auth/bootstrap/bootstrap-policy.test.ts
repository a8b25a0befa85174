import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { Store } from '../../store/store.ts';
import { readBootstrapPolicy } from './bootstrap-policy.ts';
import { installBootstrapPolicy } from './install-bootstrap-policy.ts';

const policy = readBootstrapPolicy();
const roleOf = (name: string) =>
  policy.clusterRoles.find(({ metadata }) => metadata?.name === name);

test('readBootstrapPolicy() is complete: every binding is to a role that is there', () => {
  for (const { roleRef } of policy.clusterRoleBindings) expect(roleOf(roleRef.name)).toBeDefined();
  const roles = policy.roles.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
  for (const { roleRef, metadata } of policy.roleBindings) {
    expect(roles).toContain(`${metadata?.namespace}/${roleRef.name}`);
  }
});

test('readBootstrapPolicy() reads rules about resources, names and paths', () => {
  expect(roleOf('cluster-admin')?.rules).toEqual([
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ]);
  expect(roleOf('system:certificates.k8s.io:kubelet-serving-approver')?.rules).toEqual([
    {
      verbs: ['approve'],
      apiGroups: ['certificates.k8s.io'],
      resources: ['signers'],
      resourceNames: ['kubernetes.io/kubelet-serving'],
    },
  ]);
});

test('readBootstrapPolicy() aggregates view into edit, and edit into admin', () => {
  const rules = (name: string) => roleOf(name)?.rules ?? [];
  expect([rules('view').length, rules('edit').length, rules('admin').length]).toEqual([12, 27, 29]);
  expect(rules('edit')).toEqual(expect.arrayContaining(rules('view')));
  expect(rules('admin')).toEqual(expect.arrayContaining(rules('edit')));
  expect(roleOf('admin')?.aggregationRule?.clusterRoleSelectors).toEqual([
    { matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' } },
  ]);
});

test('readBootstrapPolicy() binds each controller to its account', () => {
  const binding = policy.clusterRoleBindings.find(
    ({ metadata }) => metadata?.name === 'system:controller:job-controller',
  );
  expect(binding?.subjects).toEqual([
    { kind: 'ServiceAccount', namespace: 'kube-system', name: 'job-controller' },
  ]);
});

test('installBootstrapPolicy() makes objects of it', () => {
  const store = new Store();
  const clock = new VirtualClock({ startMs: Date.UTC(2030, 0, 1) });
  installBootstrapPolicy(policy, { store, clock, random: seededRandom(1) });
  const view = store.collection('clusterroles.rbac.authorization.k8s.io').get('view');
  expect(view?.metadata).toMatchObject({
    name: 'view',
    uid: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    creationTimestamp: '2030-01-01T00:00:00Z',
  });
  const roles = store.collection('roles.rbac.authorization.k8s.io');
  expect(roles.get('kube-system/extension-apiserver-authentication-reader')).toBeDefined();
});
