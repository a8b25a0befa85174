import type { Tenant } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { storedSlice } from '../testing/stored-slice.ts';
import { judgeSlice, type SliceFacts } from './judge-slice.ts';

const slice = storedSlice({ spec: { csr: 'Y3Ny' } });

function tenant(spec: Partial<Tenant['spec']> = {}, metadata: object = {}): Stored<Tenant> {
  return {
    apiVersion: 'authentication.liqo.io/v1beta1',
    kind: 'Tenant',
    metadata: {
      name: 'rome',
      namespace: 'liqo-tenant-rome',
      uid: 'tenant-uid',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: {
      clusterID: 'rome',
      authzPolicy: 'KeysExchange',
      tenantCondition: 'Active',
      publicKey: 'a2V5',
      ...spec,
    },
  };
}

function facts(more: Partial<SliceFacts> = {}): SliceFacts {
  return {
    ownClusterID: 'milan',
    misplaced: undefined,
    tenant: tenant(),
    isKeyProved: true,
    older: 0,
    mostSlices: 3,
    ...more,
  };
}

test.each([
  ['of a Tenant with a proved key', slice, facts(), { type: 'issue', publicKey: 'a2V5' }],
  [
    'of a Tenant without a handshake, for any key',
    slice,
    facts({ tenant: tenant({ authzPolicy: 'TolerateNoHandshake' }), isKeyProved: false }),
    { type: 'issue', publicKey: undefined },
  ],
  [
    'of a cordoned Tenant, whose pods go on',
    slice,
    facts({ tenant: tenant({ tenantCondition: 'Cordoned' }) }),
    { type: 'issue', publicKey: 'a2V5' },
  ],
  ['without a request yet', storedSlice(), facts(), { type: 'wait' }],
  ['of a Tenant whose key is not proved', slice, facts({ isKeyProved: false }), { type: 'wait' }],
  ['in the last free place', slice, facts({ older: 2 }), { type: 'issue', publicKey: 'a2V5' }],
])('judgeSlice() of one %s', (_, one, around, verdict) => {
  expect(judgeSlice(one, around)).toEqual(verdict);
});

test.each([
  [
    'from another consumer than it says',
    storedSlice({ spec: { csr: 'Y3Ny', consumerClusterID: 'paris' } }),
    facts(),
    'spec.consumerClusterID is "paris", and the slice comes from "rome"',
  ],
  [
    'for another provider',
    storedSlice({ spec: { csr: 'Y3Ny', providerClusterID: 'turin' } }),
    facts(),
    'spec.providerClusterID is "turin", and this cluster is "milan"',
  ],
  [
    'in the wrong namespace',
    slice,
    facts({ misplaced: 'the tenant namespace of "rome" is "x"' }),
    'the tenant namespace of "rome" is "x"',
  ],
  [
    'without a Tenant',
    slice,
    facts({ tenant: undefined }),
    'there is no Tenant of "rome" in its namespace',
  ],
  [
    'of a Tenant that is being deleted',
    slice,
    facts({ tenant: tenant({}, { deletionTimestamp: '2026-01-02T00:00:00Z' }) }),
    'there is no Tenant of "rome" in its namespace',
  ],
  [
    'of a drained Tenant',
    slice,
    facts({ tenant: tenant({ tenantCondition: 'Drained' }) }),
    'the Tenant of "rome" is drained',
  ],
  [
    'beyond the limit',
    slice,
    facts({ older: 3 }),
    'the provider accepts at most 3 slices of a consumer',
  ],
])('judgeSlice() refuses one %s', (_, one, around, message) => {
  expect(judgeSlice(one, around)).toEqual({ type: 'refuse', message });
});
