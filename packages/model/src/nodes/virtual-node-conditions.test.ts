import type { Deployment, Node } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import type { TeardownStep } from './teardown.ts';
import { type VirtualNodeFacts, virtualNodeConditions } from './virtual-node-conditions.ts';

const now = '2026-01-02T00:00:00Z';
const node = (status: string, message?: string): Node => ({
  status: { conditions: [{ type: 'Ready', status, reason: 'Some', ...(message && { message }) }] },
});
const kubelet: Deployment = { status: { availableReplicas: 1 } } as Deployment;
const good: VirtualNodeFacts = { createNode: true, node: node('True'), kubelet, now };

function statuses(facts: Partial<VirtualNodeFacts>, virtualNode = storedVirtualNode()) {
  const conditions = virtualNodeConditions(virtualNode, { ...good, ...facts });
  const of = (type: string) => conditions.find((condition) => condition.type === type);
  return { node: of('Node'), kubelet: of('VirtualKubelet'), conditions };
}

describe('virtualNodeConditions()', () => {
  test('says Running where all is well', () => {
    const { conditions } = statuses({});
    expect(conditions).toEqual([
      { type: 'Node', status: 'Running', lastTransitionTime: now },
      { type: 'VirtualKubelet', status: 'Running', lastTransitionTime: now },
    ]);
  });

  test.each<[string, Partial<VirtualNodeFacts>, object]>([
    ['no Node yet', { node: undefined }, { status: 'Creating', reason: 'NoNode' }],
    [
      'a Node that is not ready',
      { node: node('False', 'why') },
      { status: 'Creating', reason: 'Some', message: 'why' },
    ],
    ['a Node that said nothing', { node: {} }, { status: 'Creating', reason: 'NoStatus' }],
    [
      'no Node wanted',
      { createNode: false, node: undefined },
      { status: 'None', reason: 'NotWanted' },
    ],
    [
      'a name that is taken',
      { obstacle: { reason: 'NameTaken', message: 'm' } },
      { status: 'None', reason: 'NameTaken' },
    ],
  ])('says of the Node: %s', (_, facts, expected) => {
    expect(statuses(facts).node).toMatchObject(expected);
  });

  test.each<[string, Partial<VirtualNodeFacts>, object]>([
    ['none available', { kubelet: undefined }, { status: 'Creating', reason: 'NotAvailable' }],
    [
      'an obstacle',
      { obstacle: { reason: 'NoKubeconfig', message: 'm' } },
      { status: 'Creating', reason: 'NoKubeconfig', message: 'm' },
    ],
  ])('says of the virtual kubelet: %s', (_, facts, expected) => {
    expect(statuses(facts).kubelet).toMatchObject(expected);
  });

  test.each<[TeardownStep, string, string]>([
    ['cordon', 'Draining', 'Running'],
    ['evict', 'Draining', 'Running'],
    ['release', 'Draining', 'Running'],
    ['delete-node', 'Deleting', 'Running'],
    ['delete-kubelet', 'None', 'Deleting'],
  ])('says how far it is taken down: %s', (step, nodeStatus, kubeletStatus) => {
    const before = storedVirtualNode();
    const up = { ...before, status: { conditions: virtualNodeConditions(before, good) } };
    const left = step === 'delete-kubelet' ? { node: undefined } : {};
    const going = statuses({ ...left, teardown: { step, message: 'm' } }, up);
    expect([going.node?.status, going.kubelet?.status]).toEqual([nodeStatus, kubeletStatus]);
    expect(going.node?.message).toBe('m');
  });

  test('has each type once, where Liqo left several', () => {
    const status = (type: 'Node' | 'VirtualKubelet') => ({ type, status: 'Running' as const });
    const conditions = [
      status('VirtualKubelet'),
      status('Node'),
      status('VirtualKubelet'),
      status('Node'),
    ];
    const virtualNode = { ...storedVirtualNode(), status: { conditions } };
    const types = statuses({}, virtualNode).conditions.map(({ type }) => type);
    expect(types).toEqual(['VirtualKubelet', 'Node']);
  });

  test('keeps the time of a status that stays, and has nothing new to say the second time', () => {
    const before = storedVirtualNode();
    const conditions = virtualNodeConditions(before, good);
    const again = virtualNodeConditions(
      { ...before, status: { conditions } },
      { ...good, now: '2027-01-01T00:00:00Z' },
    );
    expect(again).toEqual(conditions);
  });
});
