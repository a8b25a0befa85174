import type { Node, Pod, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { shareOfFree } from './share-of-free.ts';

const allocatable = { cpu: '8', memory: '16Gi', pods: '110', 'nvidia.com/gpu': '1' };

function node(name: string, change: Partial<Node> = {}): Stored<Node> {
  const conditions = [{ type: 'Ready', status: 'True' }];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: '' },
    status: { allocatable, conditions },
    ...change,
  } as Stored<Node>;
}

function pod(name: string, requests: Record<string, string>, change: Partial<Pod> = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: '1', creationTimestamp: '' },
    spec: { nodeName: 'n1', containers: [{ name: 'web', resources: { requests } }] },
    ...change,
  } as Stored<Pod>;
}

const share = (percentage = 30, isOfConsumer = (_: Stored<Pod>) => false) => ({
  percentage,
  isOfConsumer,
});

test('shareOfFree() offers a share of what nodes have and pods do not use', () => {
  const pods = [pod('web', { cpu: '1500m', memory: '2Gi' })];
  expect(shareOfFree({ nodes: [node('n1')], pods }, share())).toEqual({
    cpu: '1950m',
    memory: String(Math.floor(14 * 1024 ** 3 * 0.3)),
    'nvidia.com/gpu': '0',
    pods: '32',
  });
});

test.each([
  [
    'a virtual node',
    { metadata: { ...node('n2').metadata, labels: { 'liqo.io/type': 'virtual-node' } } },
  ],
  ['a node that is cordoned', { spec: { unschedulable: true } }],
  ['a node that is not ready', { status: { allocatable, conditions: [] } }],
])('shareOfFree() leaves out %s', (_, change) => {
  const nodes = [node('n1'), node('n2', change)];
  expect(shareOfFree({ nodes, pods: [] }, share(100))).toMatchObject({ cpu: '8', pods: '110' });
});

test('shareOfFree() leaves out pods of the consumer and those that have finished', () => {
  const finished = pod('job', { cpu: '1' }, { status: { phase: 'Succeeded' } });
  const pods = [pod('own', { cpu: '4' }), finished];
  const isOfConsumer = ({ metadata }: Stored<Pod>) => metadata.name === 'own';
  const capacity = { nodes: [node('n1')], pods };
  expect(shareOfFree(capacity, share(100, isOfConsumer))).toMatchObject({ cpu: '8' });
  expect(shareOfFree(capacity, share(100))).toMatchObject({ cpu: '4' });
});

test('shareOfFree() offers nothing of a resource of which more is used than there is', () => {
  const pods = [pod('web', { memory: '32Gi' })];
  expect(shareOfFree({ nodes: [node('n1')], pods }, share())).toMatchObject({ memory: '0' });
});

test('shareOfFree() offers nothing without nodes', () => {
  expect(shareOfFree({ nodes: [], pods: [] }, share())).toEqual({});
});
