import { labelQueryFromLabels, type Pod, type ReplicaSet } from '@liqo/kube';
import { expect, test } from 'vitest';
import { planClaims } from './claim.ts';
import { forgeControllerReference } from './owner-reference.ts';
import { stored } from './testing/stored.ts';

const owner = stored<ReplicaSet>('ReplicaSet', { metadata: { name: 'web' } });
const other = stored<ReplicaSet>('ReplicaSet', { metadata: { name: 'other' } });
const mine = [forgeControllerReference(owner)];
const labels = { app: 'web' };

test.each([
  ['has what it owns and selects', { labels, ownerReferences: mine }, 'owned'],
  ['releases what it does not select any more', { ownerReferences: mine }, 'release'],
  ['adopts what it selects and nobody owns', { labels }, 'adopt'],
  ['leaves alone what it does not select', {}, 'none'],
  [
    'leaves alone what another controller owns',
    { labels, ownerReferences: [forgeControllerReference(other)] },
    'none',
  ],
  [
    'leaves alone what is on its way out',
    { labels, deletionTimestamp: '2030-01-01T00:00:00Z' },
    'none',
  ],
])('planClaims() %s', (_, metadata, expected) => {
  const pod = stored<Pod>('Pod', { metadata: { name: 'pod', ...metadata } });
  const plan = planClaims(owner, labelQueryFromLabels(labels), [pod]);
  const found = Object.entries(plan).find(([, pods]) => pods.length > 0)?.[0] ?? 'none';
  expect(found).toBe(expected);
});
