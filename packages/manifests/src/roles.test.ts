import type { ClusterRole } from '@liqo/kube';
import { expect, test } from 'vitest';
import { upgradeKindsRole } from './chart/forge-hooks.ts';
import {
  controllerManagerRole,
  controllerManagerTenantRole,
  forgeClusterKeysRole,
  localVirtualKubelet,
  virtualKubeletReflection,
  virtualKubeletTokens,
} from './local-roles.ts';
import { peerRoles } from './peer-roles.ts';
import { forgePeeringUserRole, peeringUserTenantRole } from './peering-user-roles.ts';
import { forgeCertificatesRole, webhookRole } from './webhook/webhook-roles.ts';

const roles = [
  ...peerRoles,
  peeringUserTenantRole,
  forgePeeringUserRole('liqo'),
  localVirtualKubelet,
  virtualKubeletReflection,
  virtualKubeletTokens,
  controllerManagerTenantRole,
  controllerManagerRole,
  webhookRole,
  upgradeKindsRole,
];
const cases = roles.map((role) => [role.metadata?.name, role] as const);

const grants = ({ rules = [] }: Pick<ClusterRole, 'rules'>) =>
  rules.flatMap(({ apiGroups = [], resources = [], verbs, resourceNames }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ resource: `${group}/${resource}`, verb, resourceNames })),
      ),
    ),
  );

const granted = (role: Pick<ClusterRole, 'rules'>, resource: string) =>
  grants(role)
    .filter((grant) => grant.resource === resource)
    .map(({ verb }) => verb);

test.each(cases)('%s has no wildcard', (_, role) => {
  expect(JSON.stringify(role.rules)).not.toContain('*');
  expect(role.rules?.flatMap(({ nonResourceURLs = [] }) => nonResourceURLs)).toEqual([]);
});

test.each(cases)('%s opens no way to more rights than it names', (_, role) => {
  const verbs = grants(role).map(({ verb }) => verb);
  for (const verb of ['escalate', 'impersonate']) expect(verbs).not.toContain(verb);
  for (const resource of ['/nodes/proxy', '/pods/proxy', '/services/proxy']) {
    expect(granted(role, resource)).toEqual([]);
  }
});

test('only a role of its own asks for tokens of other accounts', () => {
  const asking = roles.filter((role) => granted(role, '/serviceaccounts/token').length > 0);
  expect(asking).toEqual([virtualKubeletTokens]);
});

test.each(cases)('%s binds and approves only what it names', (_, role) => {
  for (const { verb, resourceNames } of grants(role)) {
    if (verb === 'bind' || verb === 'approve') expect(resourceNames?.length).toBeGreaterThan(0);
  }
});

test.each(cases)('%s says nothing twice', (_, role) => {
  const all = grants(role).map(({ resource, verb }) => `${verb} ${resource}`);
  expect(all.filter((grant, nth) => all.indexOf(grant) !== nth)).toEqual([]);
});

test('liqo-virtual-kubelet-local opens no Secret, and no ConfigMap but one', () => {
  expect(granted(localVirtualKubelet, '/secrets')).toEqual([]);
  const configMaps = grants(localVirtualKubelet).filter(
    ({ resource }) => resource === '/configmaps',
  );
  expect(new Set(configMaps.flatMap(({ resourceNames }) => resourceNames))).toEqual(
    new Set(['extension-apiserver-authentication']),
  );
});

test('liqo-virtual-kubelet-reflection writes the status of the one NamespaceOffloading, and only reads the rest', () => {
  const reading = new Set(['get', 'list', 'watch']);
  const writing = grants(virtualKubeletReflection).filter(({ verb }) => !reading.has(verb));
  expect(writing).toMatchObject([
    {
      resource: 'offloading.liqo.io/namespaceoffloadings/status',
      verb: 'patch',
      resourceNames: ['offloading'],
    },
  ]);
});

test('liqo-virtual-kubelet-local opens no Lease: each virtual kubelet gets its own', () => {
  expect(granted(localVirtualKubelet, 'coordination.k8s.io/leases')).toEqual([]);
});

test('liqo-virtual-kubelet-remote creates no pods', () => {
  const remote = peerRoles.find(({ metadata }) => metadata?.name === 'liqo-virtual-kubelet-remote');
  expect(granted(remote ?? {}, '/pods')).toEqual(['get', 'list', 'watch']);
});

test('liqo-controller-manager opens no Secret: it has rights on them in tenant namespaces', () => {
  expect(granted(controllerManagerRole, '/secrets')).toEqual([]);
});

test('liqo-controller-manager-keys opens one Secret', () => {
  const { rules = [] } = forgeClusterKeysRole('liqo');
  expect(rules.map(({ resourceNames }) => resourceNames)).toEqual([['authentication-keys']]);
});

test('liqo-webhook changes its own webhook configurations, and nothing else', () => {
  const writes = grants(webhookRole).filter(({ verb }) => !['get', 'list', 'watch'].includes(verb));
  expect(new Set(writes.map(({ verb }) => verb))).toEqual(new Set(['update']));
  for (const { resourceNames } of writes) expect(resourceNames).toEqual(['liqo-webhook']);
});

test('liqo-webhook-certs opens one Secret', () => {
  const { rules = [] } = forgeCertificatesRole('liqo');
  expect(rules.map(({ resourceNames }) => resourceNames)).toEqual([['liqo-webhook-certs']]);
});
