import type { ResourceSlice } from '@liqo/api';
import { expect, test } from 'vitest';
import { storedSlice } from '../testing/stored-slice.ts';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import { whyNothingNew } from './why-nothing-new.ts';

type Conditions = NonNullable<NonNullable<ResourceSlice['status']>['conditions']>;

const authenticated = { type: 'Authentication', status: 'Accepted' } as const;
const granted = { type: 'Resources', status: 'Accepted' } as const;

function virtualNode(secret = 'kubeconfig-resourceslice-mypool', namespace = 'liqo-tenant-rome') {
  const stored = storedVirtualNode();
  return {
    ...stored,
    metadata: { ...stored.metadata, namespace },
    spec: { ...stored.spec, kubeconfigSecretRef: { name: secret } },
  };
}

const slices = (conditions: Conditions) => [storedSlice({ status: { conditions } })];

test.each<[name: string, conditions: Conditions, why: string | undefined]>([
  ['a slice that is granted', [authenticated, granted], undefined],
  [
    'a slice that is denied',
    [authenticated, { ...granted, status: 'Denied', message: 'nothing is free' }],
    'slice mypool: nothing is free',
  ],
  [
    'a slice whose grant is withdrawn',
    [authenticated],
    'slice mypool: the provider has not decided about its resources',
  ],
  [
    'a slice whose credentials are denied',
    [{ ...authenticated, status: 'Denied' }, granted],
    'slice mypool: the provider has denied its authentication',
  ],
])('whyNothingNew() knows of %s', (_, conditions, why) => {
  expect(whyNothingNew(virtualNode(), slices(conditions))).toBe(why);
});

test('whyNothingNew() knows of a slice that is being deleted', () => {
  const [slice] = slices([authenticated, granted]);
  if (!slice) throw new Error('There is no slice');
  const going = {
    ...slice,
    metadata: { ...slice.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  expect(whyNothingNew(virtualNode(), [going])).toBe('slice mypool: it is being deleted');
});

test('whyNothingNew() keeps no virtual node with other credentials', () => {
  const denied = slices([{ ...authenticated, status: 'Denied' }]);
  expect(whyNothingNew(virtualNode('by-hand'), denied)).toBeUndefined();
  const elsewhere = virtualNode('kubeconfig-resourceslice-mypool', 'liqo-tenant-oslo');
  expect(whyNothingNew(elsewhere, denied)).toBeUndefined();
});
