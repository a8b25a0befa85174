import { labels } from '@liqo/api';
import type { Secret, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { findNonceSecret, forgeNonceSecret } from './nonce-secret.ts';

test('forgeNonceSecret() forges what Liqo v1.2 records, without a nonce', () => {
  expect(forgeNonceSecret('rome', 'liqo-tenant-rome')).toEqual({
    metadata: {
      labels: { 'liqo.io/nonce': 'true', 'liqo.io/remote-cluster-id': 'rome' },
      name: 'liqo-nonce',
      namespace: 'liqo-tenant-rome',
    },
    type: 'Opaque',
  });
});

const stored = (name: string, creationTimestamp: string, more: object = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      creationTimestamp,
      labels: { [labels.nonce]: 'true', [labels.remoteClusterID]: 'rome' },
      ...more,
    },
  }) satisfies Stored<Secret>;

const old = stored('old', '2026-11-01T00:00:00Z');
const young = stored('young', '2026-11-02T00:00:00Z');

test.each([
  ['the only one', [young], 'young'],
  ['the oldest of several', [young, old], 'old'],
  ['none that is being deleted', [stored('a', 'x', { deletionTimestamp: 'x' })], undefined],
  [
    'none of another consumer',
    [stored('a', 'x', { labels: { [labels.nonce]: 'true' } })],
    undefined,
  ],
  [
    'none without the label',
    [stored('a', 'x', { labels: { [labels.remoteClusterID]: 'rome' } })],
    undefined,
  ],
  ['none without labels', [stored('a', 'x', { labels: undefined })], undefined],
] as const)('findNonceSecret() finds %s', (_, secrets, name) => {
  expect(findNonceSecret('rome', secrets)?.metadata.name).toBe(name);
});
