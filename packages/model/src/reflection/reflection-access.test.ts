import { labels, type NamespaceMap, type VirtualNode } from '@liqo/api';
import type { Namespace, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { forgeReflectionAccess, type ReflectionAccessFacts } from './reflection-access.ts';

const stored = { uid: 'u1', resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' };

function namespaceCalled(name: string, change: object = {}): Stored<Namespace> {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { ...stored, name, ...change } };
}

function mapOf(...namespaces: readonly string[]): Stored<NamespaceMap> {
  const entries = namespaces.map((name) => [name, `${name}-rome`]);
  return {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'NamespaceMap',
    metadata: { ...stored, namespace: 'liqo-tenant-milan', name: 'milan' },
    spec: { desiredMapping: Object.fromEntries(entries) },
  };
}

function virtualNode(name: string, namespace = 'liqo-tenant-milan'): Stored<VirtualNode> {
  return {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'VirtualNode',
    metadata: { ...stored, namespace, name },
    spec: { clusterID: 'milan' },
  };
}

const facts: ReflectionAccessFacts = {
  providerClusterID: 'milan',
  liqoNamespace: 'liqo',
  namespace: namespaceCalled('shop'),
  maps: [mapOf('shop')],
  virtualNodes: [virtualNode('b'), virtualNode('a')],
};

describe('forgeReflectionAccess()', () => {
  test('binds the role to the virtual kubelets of the provider, in one order', () => {
    expect(forgeReflectionAccess(facts)).toEqual({
      metadata: {
        name: 'liqo-virtual-kubelet-reflection-milan',
        namespace: 'shop',
        labels: {
          [labels.managed]: 'true',
          [labels.component]: 'virtual-kubelet',
          [labels.remoteClusterID]: 'milan',
        },
      },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'liqo-virtual-kubelet-reflection',
      },
      subjects: [
        { kind: 'ServiceAccount', name: 'a', namespace: 'liqo-tenant-milan' },
        { kind: 'ServiceAccount', name: 'b', namespace: 'liqo-tenant-milan' },
      ],
    });
  });

  const tenant = { labels: { [labels.tenantNamespace]: 'true' } };
  const deleted = { deletionTimestamp: '2030-01-01T00:00:00Z' };
  test.each<[string, Partial<ReflectionAccessFacts>]>([
    ['that is not offloaded', { maps: [mapOf('other')] }],
    ['that is offloaded to nobody', { maps: [] }],
    ['of a provider without virtual nodes', { virtualNodes: [] }],
    ['that does not exist', { namespace: undefined }],
    ['that is being deleted', { namespace: namespaceCalled('shop', deleted) }],
    ['of Kubernetes', { namespace: namespaceCalled('kube-system'), maps: [mapOf('kube-system')] }],
    ['of Liqo', { namespace: namespaceCalled('liqo'), maps: [mapOf('liqo')] }],
    ['of a peer', { namespace: namespaceCalled('shop', tenant) }],
  ])('grants nothing in a namespace %s', (_, change) => {
    expect(forgeReflectionAccess({ ...facts, ...change })).toBeUndefined();
  });
});
