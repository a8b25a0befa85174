import type { Node, Pod, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { planPodGc } from './plan-pod-gc.ts';

const deletionTimestamp = '2030-01-01T00:00:30Z';

function pod(name: string, change: Partial<Pod> = {}, metadata: object = {}): Stored<Pod> {
  return stored<Pod>('Pod', {
    status: { phase: 'Running' },
    ...change,
    metadata: { name, ...metadata },
  });
}

function plan(pods: readonly Stored<Pod>[], nodes: readonly Stored<Node>[] = []) {
  const nodeOf = (name: string) => nodes.find(({ metadata }) => metadata.name === name);
  return planPodGc({ pods, nodeOf, goneNodes: new Set(['gone']) }).map(({ pod, message }) =>
    message ? `${pod.metadata.name}: ${message}` : pod.metadata.name,
  );
}

test('planPodGc() removes pods of nodes that are gone, and no others', () => {
  const pods = [
    pod('orphan', { spec: { nodeName: 'gone', containers: [] } }),
    pod('fine', { spec: { nodeName: 'there', containers: [] } }),
    pod('waiting'),
  ];
  expect(plan(pods)).toEqual(['orphan: PodGC: node no longer exists']);
});

test('planPodGc() removes pods that end and never had a node', () => {
  const ending = { deletionTimestamp };
  const placed = { spec: { nodeName: 'there', containers: [] } };
  expect(plan([pod('nowhere', {}, ending), pod('somewhere', placed, ending)])).toEqual(['nowhere']);
});

test.each([
  ['removes', 'False', 'node.kubernetes.io/out-of-service', ['stuck']],
  ['keeps', 'True', 'node.kubernetes.io/out-of-service', []],
  ['keeps', 'False', 'example.org/other', []],
])(
  'planPodGc() %s an ending pod on a node with Ready=%s and taint %s',
  (_, ready, key, expected) => {
    const node = stored<Node>('Node', {
      metadata: { name: 'broken' },
      spec: { taints: [{ key, effect: 'NoExecute' }] },
      status: { conditions: [{ type: 'Ready', status: ready }] },
    });
    const placed = { spec: { nodeName: 'broken', containers: [] } };
    const pods = [pod('stuck', placed, { deletionTimestamp }), pod('running', placed)];
    expect(plan(pods, [node])).toEqual(expected);
  },
);

test('planPodGc() keeps 12500 finished pods, and lets evicted ones and then the oldest go', () => {
  const finished = Array.from({ length: 12_500 }, (_, index) =>
    pod(`p${index}`, { status: { phase: 'Succeeded' } }),
  );
  expect(plan(finished)).toEqual([]);
  const more = [
    pod('old', { status: { phase: 'Failed' } }, { creationTimestamp: '2029-01-01T00:00:00Z' }),
    pod('evicted', { status: { phase: 'Failed', reason: 'Evicted' } }),
    pod('running'),
  ];
  expect(plan([...finished, ...more])).toEqual(['evicted', 'old']);
});
