import { describe, expect, test } from 'vitest';
import { storedPod } from '../testing/stored-pod.ts';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import { planMapRemoval, podsToDrain, type Remains, teardownStep } from './teardown.ts';

const node = { uid: 'node-uid', isCordoned: true };
const pod = storedPod();
const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'x' };
const daemon = storedPod({ metadata: { ownerReferences: [{ ...owner, controller: true }] } });
const mirror = storedPod({ metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } });
const released = storedPod({
  metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 },
});
const everything: Remains = {
  node,
  pods: [pod],
  hasVirtualKubelet: true,
  hasDeployment: true,
  isHopeless: false,
};

describe('teardownStep()', () => {
  test.each<[string, Partial<Remains>, string]>([
    ['cordons first', { node: { ...node, isCordoned: false } }, 'cordon'],
    [
      'cordons even if all is lost',
      { node: { ...node, isCordoned: false }, isHopeless: true },
      'cordon',
    ],
    ['then evicts', {}, 'evict'],
    [
      'makes a lost virtual kubelet again while pods remain',
      { hasDeployment: false },
      'restore-kubelet',
    ],
    [
      'also for those that were left on the Node',
      { node: undefined, pods: [daemon], hasDeployment: false },
      'restore-kubelet',
    ],
    [
      'makes no virtual kubelet for a provider that is gone',
      { hasDeployment: false, isHopeless: true },
      'release',
    ],
    ['makes none without pods', { pods: [], hasDeployment: false }, 'delete-node'],
    ['waits for pods that are on their way out', { pods: [released] }, 'evict'],
    ['does not evict what belongs to the node', { pods: [daemon, mirror] }, 'delete-node'],
    ['releases when nobody waits any longer', { isHopeless: true }, 'release'],
    [
      'does not wait for what others hold after that',
      { pods: [released], isHopeless: true },
      'delete-node',
    ],
    ['then deletes the Node', { pods: [] }, 'delete-node'],
    ['then what was left on it', { node: undefined, pods: [daemon] }, 'delete-pods'],
    [
      'which nobody waits for without hope',
      { node: undefined, pods: [daemon], isHopeless: true },
      'release',
    ],
    ['then the virtual kubelet', { node: undefined, pods: [] }, 'delete-kubelet'],
    ['then it is over', { node: undefined, pods: [], hasVirtualKubelet: false }, 'finish'],
    ['keeps the virtual kubelet while there are pods', { node: undefined }, 'delete-pods'],
  ])('%s', (_, remains, step) => {
    expect(teardownStep({ ...everything, ...remains })).toBe(step);
  });
});

test('podsToDrain() leaves out what belongs to a node', () => {
  const owned = storedPod({ metadata: { ownerReferences: [{ ...owner, kind: 'ReplicaSet' }] } });
  expect(podsToDrain([pod, daemon, mirror, owned])).toEqual([pod, owned]);
});

describe('planMapRemoval()', () => {
  const going = (uid: string, second: number, clusterID = 'milan') =>
    storedVirtualNode(
      { clusterID },
      { name: uid, uid, deletionTimestamp: `2026-01-01T00:00:0${second}Z` },
    );
  const staying = storedVirtualNode({}, { name: 'stays', uid: 'stays' });
  const first = going('b', 1);

  test.each([
    ['removes with the only one', [first], 'remove'],
    ['keeps it for one that stays', [first, staying], 'keep'],
    ['leaves it to one that goes later', [first, going('a', 2)], 'keep'],
    ['waits for those that went earlier', [going('z', 0), first], 'wait'],
    ['breaks a tie by UID', [first, going('c', 1)], 'keep'],
    ['breaks a tie by UID the other way round', [first, going('a', 1)], 'wait'],
    ['does not care for other providers', [first, going('c', 1, 'oslo')], 'remove'],
  ])('%s', (_, all, plan) => {
    expect(planMapRemoval(first, all)).toBe(plan);
  });

  test('leaves it to exactly one of those that go together', () => {
    const all = [going('a', 1), going('b', 1), going('c', 0)];
    const responsible = all.filter((one) => planMapRemoval(one, all) !== 'keep');
    expect(responsible.map(({ metadata }) => metadata.uid)).toEqual(['b']);
  });
});
