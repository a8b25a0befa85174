import { expect, test } from 'vitest';
import { forgeTenant } from './tenant.ts';

const request = {
  consumerClusterID: 'rome',
  publicKey: 'S0VZ',
  csr: 'Q1NS',
  signature: 'U0lH',
};

test('forgeTenant() forges what Liqo v1.2 records', () => {
  expect(forgeTenant(request, 'liqo-tenant-rome')).toEqual({
    apiVersion: 'authentication.liqo.io/v1beta1',
    kind: 'Tenant',
    metadata: {
      labels: { 'liqo.io/remote-cluster-id': 'rome' },
      name: 'rome',
      namespace: 'liqo-tenant-rome',
    },
    spec: {
      authzPolicy: 'KeysExchange',
      clusterID: 'rome',
      csr: 'Q1NS',
      publicKey: 'S0VZ',
      signature: 'U0lH',
      tenantCondition: 'Active',
    },
  });
});

test('forgeTenant() names a proxy if there is one, and no namespace if there is none', () => {
  const { metadata, spec } = forgeTenant({ ...request, proxyURL: 'http://10.0.0.1:8118' });
  expect(metadata).not.toHaveProperty('namespace');
  expect(spec.proxyURL).toBe('http://10.0.0.1:8118');
});
