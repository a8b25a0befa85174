import type { Tenant } from '@liqo/api';
import type { Namespace, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { forgeTenantNamespace } from '../peers/tenant-namespace.ts';
import { refuseTenant } from './refuse-tenant.ts';
import { forgeTenant } from './tenant.ts';

const created = { creationTimestamp: '2026-11-18T20:00:00Z', resourceVersion: '1' };

function tenantOf(clusterID: string, namespace: string, more: object = {}): Stored<Tenant> {
  const request = { consumerClusterID: clusterID, publicKey: '', csr: '', signature: '' };
  const { metadata, spec } = forgeTenant(request, namespace);
  return {
    apiVersion: 'authentication.liqo.io/v1beta1',
    kind: 'Tenant',
    metadata: { ...metadata, ...created, name: clusterID, uid: clusterID, ...more },
    spec,
  };
}

function namespaceFor(clusterID: string): Stored<Namespace> {
  const { metadata } = forgeTenantNamespace(clusterID);
  const name = metadata?.name ?? '';
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...metadata, ...created, name, uid: name },
  };
}

const rome = tenantOf('rome', 'liqo-tenant-rome');
const surroundings = {
  ownClusterID: 'milan',
  namespaces: [namespaceFor('rome'), namespaceFor('oslo'), namespaceFor('milan')],
  tenants: [rome],
};
const refuse = (tenant: Stored<Tenant>, more: object = {}) =>
  refuseTenant(tenant, { ...surroundings, ...more });

test('refuseTenant() refuses no Tenant in the tenant namespace of its cluster, whatever its name', () => {
  expect(refuse(rome)).toBeUndefined();
  expect(refuse({ ...rome, metadata: { ...rome.metadata, name: 'other' } })).toBeUndefined();
  expect(refuse({ ...rome, spec: { ...rome.spec, proxyURL: '' } })).toBeUndefined();
});

test.each([
  ['the ID of this cluster', tenantOf('milan', 'liqo-tenant-milan'), 'OwnClusterID'],
  ['no cluster ID', tenantOf('', 'liqo-tenant-rome'), 'InvalidClusterID'],
  ['what is no cluster ID', tenantOf('system:admin', 'liqo-tenant-rome'), 'InvalidClusterID'],
  ['another tenant namespace', tenantOf('rome', 'liqo-tenant-oslo'), 'NotInTenantNamespace'],
  ['any other namespace', tenantOf('rome', 'default'), 'NotInTenantNamespace'],
] as const)('refuseTenant() refuses %s', (_, tenant, reason) => {
  expect(refuse(tenant)?.reason).toBe(reason);
});

test('refuseTenant() refuses every Tenant of a consumer but the oldest', () => {
  const younger = tenantOf('rome', 'liqo-tenant-rome', {
    name: 'a',
    uid: 'a',
    creationTimestamp: '2026-11-18T21:00:00Z',
  });
  const sameTime = tenantOf('rome', 'liqo-tenant-rome', { name: 'z', uid: 'z' });
  const tenants = [younger, rome, sameTime];
  expect(tenants.map((tenant) => refuse(tenant, { tenants })?.reason)).toEqual([
    'DuplicateTenant',
    undefined,
    'DuplicateTenant',
  ]);
  expect(refuse(younger, { tenants: [younger] })).toBeUndefined();
});

test.each([
  ['ftp://proxy', 'is not the URL of an HTTP proxy'],
  ['proxy:8118', 'is not the URL of an HTTP proxy'],
  ['http://', 'is not the URL of an HTTP proxy'],
  ['http://user:secret@proxy', 'has a user name or a password'],
  ['http://proxy/path', 'has more than a scheme, a host and a port'],
  ['http://proxy/?a', 'has more than a scheme, a host and a port'],
  [`http://${'x'.repeat(3_000)}`, 'is longer than 2048 characters'],
])('refuseTenant() refuses the proxy %.30s and does not repeat it', (proxyURL, problem) => {
  const refusal = refuse({ ...rome, spec: { ...rome.spec, proxyURL } });
  expect(refusal).toEqual({ reason: 'InvalidProxyURL', message: `spec.proxyURL ${problem}` });
});

test.each(['http://10.70.0.1:8118', 'https://proxy.example', 'http://[fd00::1]:8118/'])(
  'refuseTenant() accepts the proxy %s',
  (proxyURL) => expect(refuse({ ...rome, spec: { ...rome.spec, proxyURL } })).toBeUndefined(),
);
