import type { Tenant } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import {
  bindsControlPlane,
  forgeControlPlaneBinding,
  forgeEverywhereBinding,
} from './tenant-bindings.ts';

const tenant: Stored<Tenant> = {
  apiVersion: 'authentication.liqo.io/v1beta1',
  kind: 'Tenant',
  metadata: {
    name: 'rome',
    namespace: 'liqo-tenant-rome',
    uid: '7',
    resourceVersion: '1',
    creationTimestamp: '2026-11-18T20:00:00Z',
  },
  spec: { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition: 'Active' },
};
const labels = {
  'app.kubernetes.io/managed-by': 'liqo',
  'liqo.io/managed': 'true',
  'liqo.io/remote-cluster-id': 'rome',
};

test('forgeControlPlaneBinding() forges what Liqo v1.2 records', () => {
  expect(forgeControlPlaneBinding(tenant)).toEqual({
    metadata: {
      labels,
      name: 'liqo-binding-liqo-remote-controlplane',
      namespace: 'liqo-tenant-rome',
      ownerReferences: [
        {
          apiVersion: 'authentication.liqo.io/v1beta1',
          blockOwnerDeletion: true,
          controller: true,
          kind: 'Tenant',
          name: 'rome',
          uid: '7',
        },
      ],
    },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'liqo-remote-controlplane',
    },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'rome' }],
  });
});

test('forgeEverywhereBinding() forges what Liqo v1.2 records', () => {
  expect(forgeEverywhereBinding('rome')).toEqual({
    metadata: { labels, name: 'liqo-binding-liqo-virtual-kubelet-remote-clusterwide-rome' },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'ClusterRole',
      name: 'liqo-virtual-kubelet-remote-clusterwide',
    },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'rome' }],
  });
});

test('bindsControlPlane() knows the binding by its role, whatever its name', () => {
  const binding = forgeControlPlaneBinding(tenant);
  expect(bindsControlPlane({ ...binding, metadata: { name: 'by-hand' } })).toBe(true);
  expect(bindsControlPlane({ ...binding, metadata: { deletionTimestamp: 'now' } })).toBe(false);
  expect(bindsControlPlane({ ...binding, roleRef: { ...binding.roleRef, name: 'view' } })).toBe(
    false,
  );
});
