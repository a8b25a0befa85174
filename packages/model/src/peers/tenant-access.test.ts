import type { RoleBinding, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import {
  forgeTenantAccess,
  grantsTenantAccess,
  isTenantNamespace,
  planTenantAccess,
} from './tenant-access.ts';

const wanted = forgeTenantAccess('liqo-tenant-milan', 'liqo');
const role = 'liqo-controller-manager-tenant';
const tenant = { 'liqo.io/tenant-namespace': 'true', 'liqo.io/remote-cluster-id': 'milan' };

function existing(change: Partial<RoleBinding> = {}): Stored<RoleBinding> {
  const creationTimestamp = '2026-01-01T00:00:00Z';
  const identity = { name: role, uid: '1', resourceVersion: '1', creationTimestamp };
  const metadata = { ...wanted.metadata, ...change.metadata, ...identity };
  const type = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' } as const;
  return { ...wanted, ...change, ...type, metadata };
}

test('forgeTenantAccess() binds the role to the account of the controllers alone', () => {
  expect(wanted).toMatchObject({
    metadata: { name: role, namespace: 'liqo-tenant-milan' },
    roleRef: { kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: 'liqo-controller-manager', namespace: 'liqo' }],
  });
  expect(wanted.subjects).toHaveLength(1);
});

const others = [{ kind: 'ServiceAccount', name: 'other', namespace: 'shop' }];
const otherRole = { ...wanted.roleRef, name: 'view' };
const deleted = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };

test.each<[string, string, Stored<RoleBinding> | undefined]>([
  ['creates a missing one', 'create', undefined],
  ['keeps one that is as wanted', 'keep', existing()],
  ['restores the subjects', 'update', existing({ subjects: others })],
  ['restores the finalizer', 'update', existing({ metadata: { finalizers: [] } })],
  ['releases one that is being deleted', 'release', existing(deleted)],
  ['refuses one with another role', 'refuse', existing({ roleRef: otherRole })],
])('planTenantAccess() %s', (_, step, binding) => {
  expect(planTenantAccess(wanted, binding).type).toBe(step);
});

test.each<[boolean, string, Stored<RoleBinding> | undefined]>([
  [true, 'as it is wanted', existing()],
  [true, 'that is being deleted', existing(deleted)],
  [false, 'that does not exist', undefined],
  [false, 'with other subjects', existing({ subjects: others })],
  [false, 'with another role', existing({ roleRef: otherRole })],
])('grantsTenantAccess() is %s for a RoleBinding %s', (granted, _, binding) => {
  expect(grantsTenantAccess(wanted, binding)).toBe(granted);
});

test.each([
  [true, tenant],
  [false, { ...tenant, 'liqo.io/tenant-namespace': 'false' }],
  [false, { 'liqo.io/tenant-namespace': 'true' }],
  [false, { 'liqo.io/remote-cluster-id': 'milan' }],
])('isTenantNamespace() is %s for the labels %j', (expected, labels) => {
  expect(isTenantNamespace({ metadata: { labels } })).toBe(expected);
});
