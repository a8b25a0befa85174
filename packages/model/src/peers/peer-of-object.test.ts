import { type Identity, labels, type Tenant } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import {
  peerByLabel,
  peerByNamespace,
  peerOfIdentity,
  peerOfTenant,
  peerOfTenantNamespace,
  peerOfVirtualNode,
} from './peer-of-object.ts';

function namespace(clusterID: string, isTenant = 'true'): KubeObject {
  const marks = { [labels.remoteClusterID]: clusterID, [labels.tenantNamespace]: isTenant };
  return { metadata: { name: `liqo-tenant-${clusterID}`, labels: marks } };
}

const find = (name: string) => (name === 'liqo-tenant-rome' ? namespace('rome') : undefined);
const inside = { namespace: 'liqo-tenant-rome' };
const outside = { namespace: 'shop' };
const claiming = (clusterID: string) => ({ labels: { [labels.remoteClusterID]: clusterID } });

test.each([
  [namespace('rome'), 'rome'],
  [namespace('rome', 'false'), undefined],
  [namespace('Not_An_ID'), undefined],
  [{}, undefined],
])('peerOfTenantNamespace() of %j is %s', (object, peer) => {
  expect(peerOfTenantNamespace(object)).toBe(peer);
});

describe('peerByNamespace()', () => {
  test('takes the peer from the tenant namespace, whatever the object claims', () => {
    expect(peerByNamespace({ metadata: { ...inside, ...claiming('victim') } }, find)).toBe('rome');
  });

  test('finds no peer for an object outside of tenant namespaces', () => {
    expect(
      peerByNamespace({ metadata: { ...outside, ...claiming('rome') } }, find),
    ).toBeUndefined();
  });
});

test.each([
  [inside, 'rome', 'rome'],
  [inside, 'victim', undefined],
  [outside, 'rome', undefined],
])('peerOfTenant() of a Tenant in %j for %s is %s', (metadata, clusterID, peer) => {
  const tenant = { metadata, spec: { clusterID } } as Tenant;
  expect(peerOfTenant(tenant, find)).toBe(peer);
});

test.each([
  [inside, 'rome', 'rome'],
  [inside, 'victim', undefined],
  [outside, 'rome', 'rome'],
  [outside, '../rome', undefined],
])('peerOfIdentity() and peerByLabel() in %j for %s is %s', (metadata, clusterID, peer) => {
  expect(peerOfIdentity({ metadata, spec: { clusterID } } as Identity, find)).toBe(peer);
  expect(peerByLabel({ metadata: { ...metadata, ...claiming(clusterID) } }, find)).toBe(peer);
});

test('peerOfVirtualNode() goes by the spec', () => {
  expect(peerOfVirtualNode({ metadata: outside, spec: { clusterID: 'milan' } })).toBe('milan');
});
