import { expect, test } from 'vitest';
import { podReferences } from './pod-references.ts';

const metadata = { namespace: 'shop', name: 'web' };
const containers = [{ name: 'main', image: 'x' }];

test('podReferences() finds what containers, volumes and the account of a pod need', () => {
  const spec = {
    serviceAccountName: 'robot',
    imagePullSecrets: [{ name: 'pull' }],
    initContainers: [{ name: 'init', image: 'x', envFrom: [{ secretRef: { name: 'all' } }] }],
    containers: [
      {
        name: 'main',
        image: 'x',
        env: [
          { name: 'A', valueFrom: { secretKeyRef: { name: 'one', key: 'a' } } },
          { name: 'B', valueFrom: { configMapKeyRef: { name: 'settings', key: 'b' } } },
          { name: 'C', value: 'c' },
        ],
      },
    ],
    volumes: [
      { name: 'v1', secret: { secretName: 'mounted' } },
      { name: 'v2', configMap: { name: 'files' } },
      { name: 'v3', persistentVolumeClaim: { claimName: 'disk' } },
      { name: 'v4', ephemeral: { volumeClaimTemplate: { spec: {} } } },
      {
        name: 'v5',
        projected: { sources: [{ secret: { name: 'part' } }, { configMap: { name: 'ca' } }] },
      },
      { name: 'v6', emptyDir: {} },
    ],
  };
  expect([...podReferences({ metadata, spec })].sort()).toEqual([
    'configmaps/shop/ca',
    'configmaps/shop/files',
    'configmaps/shop/settings',
    'persistentvolumeclaims/shop/disk',
    'persistentvolumeclaims/shop/web-v4',
    'pods/shop/web',
    'secrets/shop/all',
    'secrets/shop/mounted',
    'secrets/shop/one',
    'secrets/shop/part',
    'secrets/shop/pull',
    'serviceaccounts/shop/robot',
  ]);
});

test('podReferences() of a mirror pod is the pod alone', () => {
  const annotations = { 'kubernetes.io/config.mirror': 'x' };
  const spec = { containers, imagePullSecrets: [{ name: 'pull' }] };
  const found = podReferences({ metadata: { ...metadata, annotations }, spec });
  expect([...found]).toEqual(['pods/shop/web']);
});
