import { expect, test } from 'vitest';
import { storedSlice } from '../testing/stored-slice.ts';
import { followGrant, forgeSliceVirtualNode } from './forge-slice-virtual-node.ts';

const accepted = (['Authentication', 'Resources'] as const).map((type) => ({
  type,
  status: 'Accepted' as const,
}));

const granted = { conditions: accepted, resources: { cpu: '4', pods: '10' } };

test('forgeSliceVirtualNode() makes nothing of a slice without a grant', () => {
  const [authentication] = accepted;
  if (!authentication) throw new Error('There is no condition');
  const conditions = [authentication, { type: 'Resources' as const, status: 'Denied' as const }];
  expect(forgeSliceVirtualNode(storedSlice({ status: { conditions } }), true)).toBeUndefined();
  expect(forgeSliceVirtualNode(storedSlice({ status: granted }), true)?.spec).toMatchObject({
    createNode: true,
    kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
    resourceQuota: { hard: { cpu: '4', pods: '10' } },
  });
});

test('followGrant() takes away what is no longer granted or lent', () => {
  const before = {
    resourceQuota: { hard: { cpu: '4', 'nvidia.com/gpu': '1' } },
    storageClasses: [{ storageClassName: 'fast' }],
  };
  const after = followGrant(before, { resourceQuota: { hard: { cpu: '2' } } });
  expect(after).toEqual({ resourceQuota: { hard: { cpu: '2' } } });
});

test('followGrant() keeps what the consumer has set', () => {
  const before = {
    createNode: false,
    annotations: { team: 'blue' },
    offloadingPatch: { runtimeClassName: 'liqo', nodeSelector: { pool: 'a' } },
  };
  const wanted = { createNode: true, offloadingPatch: { nodeSelector: { pool: 'b' } } };
  expect(followGrant(before, wanted)).toEqual({
    ...before,
    offloadingPatch: { runtimeClassName: 'liqo', nodeSelector: { pool: 'b' } },
  });
  expect(followGrant(before, {})).toEqual(before);
});
