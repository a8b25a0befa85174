import type { Pod, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { isTakenUp } from './is-taken-up.ts';

const metadata = {
  namespace: 'shop-rome',
  name: 'web',
  uid: 'b5c4e9a0-0000-4000-8000-000000000001',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
};
const podWith = (status: Pod['status']): Stored<Pod> => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  ...(status && { status }),
});
const scheduled = (status: 'True' | 'False') => [{ type: 'PodScheduled', status }];

test.each<[string, Pod['status']]>([
  ['of which nothing is known', undefined],
  ['that waits for the scheduler', { phase: 'Pending' }],
  ['that waits for its machine', { phase: 'Pending', conditions: scheduled('True') }],
])('isTakenUp() not for a pod %s', (_, status) => {
  expect(isTakenUp(podWith(status))).toBe(false);
});

test.each<[string, Pod['status']]>([
  ['whose images are pulled', { phase: 'Pending', startTime: '2026-01-01T00:00:01Z' }],
  ['that runs', { phase: 'Running' }],
  ['that has failed', { phase: 'Failed' }],
  ['that fits on no machine', { phase: 'Pending', conditions: scheduled('False') }],
])('isTakenUp() for a pod %s', (_, status) => {
  expect(isTakenUp(podWith(status))).toBe(true);
});

test('isTakenUp() for a pod that is being deleted', () => {
  const deletionTimestamp = '2026-01-01T00:00:02Z';
  expect(isTakenUp({ ...podWith({}), metadata: { ...metadata, deletionTimestamp } })).toBe(true);
});
