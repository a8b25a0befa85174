import { annotations, labels, type ResourceSlice } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { cordonChange } from './cordon-tenant.ts';

function slice(value?: string, origin = 'rome'): Stored<ResourceSlice> {
  return {
    apiVersion: 'authentication.liqo.io/v1beta1',
    kind: 'ResourceSlice',
    spec: {},
    metadata: {
      name: 'milan',
      uid: '1',
      resourceVersion: '1',
      creationTimestamp: '2026-11-18T20:00:00Z',
      labels: { [labels.replicated]: 'true', [labels.replicationOrigin]: origin },
      ...(value !== undefined && { annotations: { [annotations.cordonTenant]: value } }),
    },
  };
}

test.each([
  ['Cordoned', slice(), 'true'],
  ['Cordoned', slice('false'), 'true'],
  ['Cordoned', slice('true'), undefined],
  ['Drained', slice(), 'true'],
  ['Active', slice(), undefined],
  ['Active', slice('true'), null],
  ['Active', slice('false'), null],
  ['Cordoned', slice(undefined, 'oslo'), undefined],
] as const)('cordonChange() of a Tenant that is %s', (tenantCondition, object, change) => {
  const spec = { clusterID: 'rome', authzPolicy: 'KeysExchange', tenantCondition } as const;
  expect(cordonChange(object, spec)).toBe(change);
});
