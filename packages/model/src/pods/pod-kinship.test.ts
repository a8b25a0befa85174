import { expect, test } from 'vitest';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { kinshipOf } from './pod-kinship.ts';

const local = storedPod();
const { metadata } = forgeShadowPod(local, romeToMilan);

test.each([
  ['own, what was made for the pod', { metadata }, 'own'],
  [
    'own, what Liqo made for a pod of that name',
    { metadata: { ...metadata, annotations: {} } },
    'own',
  ],
  ['a stranger, what no consumer made', { metadata: { name: 'web' } }, 'stranger'],
] as const)('kinshipOf() calls %s', (_, remote, kinship) => {
  expect(kinshipOf(remote, local, romeToMilan)).toBe(kinship);
});

test('kinshipOf() calls a predecessor, what was made for another pod of that name', () => {
  const next = storedPod({ metadata: { uid: 'another' } });
  expect(kinshipOf({ metadata }, next, romeToMilan)).toBe('predecessor');
});

test.each(['consumerClusterID', 'providerClusterID'])(
  'kinshipOf() calls a stranger, what was made for another %s',
  (id) => {
    expect(kinshipOf({ metadata }, local, { ...romeToMilan, [id]: 'paris' })).toBe('stranger');
  },
);
