import type { Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { rankForDeletion } from './rank-pods.ts';

const nowMs = Date.UTC(2030, 0, 2);
const ready = [{ type: 'Ready', status: 'True', lastTransitionTime: '2030-01-01T00:00:00Z' }];
const running = { phase: 'Running', conditions: ready };
const cost = (value: string) => ({ 'controller.kubernetes.io/pod-deletion-cost': value });

test.each<[string, Pod, Pod]>([
  ['without a node', { spec: { containers: [] } }, { spec: { containers: [], nodeName: 'n' } }],
  ['that is pending', { status: { phase: 'Pending' } }, { status: { phase: 'Running' } }],
  ['that is not ready', { status: { phase: 'Running' } }, { status: running }],
  [
    'that costs less',
    { metadata: { annotations: cost('-1') }, status: running },
    { metadata: { annotations: cost('0') }, status: running },
  ],
  [
    'that was created much later',
    { metadata: { creationTimestamp: '2030-01-01T23:59:59Z' } },
    { metadata: { creationTimestamp: '2030-01-01T00:00:00Z' } },
  ],
])('rankForDeletion() takes first the pod %s', (_, first, second) => {
  const one = stored<Pod>('Pod', { ...first, metadata: { ...first.metadata, name: 'first' } });
  const two = stored<Pod>('Pod', { ...second, metadata: { ...second.metadata, name: 'second' } });
  const ranked = rankForDeletion([two, one], [], nowMs);
  expect(ranked.map(({ metadata }) => metadata.name)).toEqual(['first', 'second']);
});

test('rankForDeletion() takes first the pod on the node with most of its kind', () => {
  const on = (name: string, nodeName: string) =>
    stored<Pod>('Pod', { metadata: { name }, spec: { containers: [], nodeName } });
  const pods = [on('alone', 'a'), on('crowded', 'b')];
  const ranked = rankForDeletion(pods, [...pods, on('neighbour', 'b')], nowMs);
  expect(ranked[0]?.metadata.name).toBe('crowded');
});
