import { expect, test } from 'vitest';
import { node, pod, requesting } from '../../scheduler/testing/forge.ts';
import { admitPod } from './admit-pod.ts';

const half = pod('half', { containers: requesting({ cpu: '2', memory: '1Gi' }) });
const port = pod('port', {
  containers: [{ name: 'a', ports: [{ containerPort: 1, hostPort: 1 }] }],
});
const taint = { key: 'gone', effect: 'NoExecute' };

test.each([
  ['fits', half, node('n', { pods: [] }), undefined],
  [
    'asks for more than is left',
    pod('large', { containers: requesting({ cpu: '2500m' }) }),
    node('n', { pods: [half] }),
    "OutOfcpu: Node didn't have enough resource: cpu, requested: 2500, used: 2000, capacity: 4000",
  ],
  [
    'asks for more memory than there is',
    pod('large', { containers: requesting({ memory: '9Gi' }) }),
    node('n'),
    "OutOfmemory: Node didn't have enough resource: memory, requested: 9663676416, used: 0, capacity: 8589934592",
  ],
  [
    'is one too many',
    pod('one'),
    node('n', { allocatable: { pods: '1' }, pods: [half] }),
    "OutOfpods: Node didn't have enough resource: pods, requested: 1, used: 1, capacity: 1",
  ],
  [
    'asks for more of an extended resource',
    pod('one', { containers: requesting({ 'example.org/gpu': '3' }) }),
    node('n', { allocatable: { 'example.org/gpu': '2' } }),
    "OutOfexample.org/gpu: Node didn't have enough resource: example.org/gpu, requested: 3, used: 0, capacity: 2",
  ],
  [
    'asks for a resource that is not of the node',
    pod('one', { containers: requesting({ 'example.org/licence': '3' }) }),
    node('n'),
    undefined,
  ],
  [
    'selects other nodes',
    pod('one', { nodeSelector: { disk: 'ssd' } }),
    node('n'),
    "NodeAffinity: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  ],
  [
    'wants a port that is taken',
    port,
    node('n', { pods: [{ ...port, key: 'default/other' }] }),
    "NodePorts: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  ],
  [
    'would be driven out again',
    pod('one'),
    node('n', { spec: { taints: [taint] } }),
    "TaintToleration: Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate",
  ],
  [
    'would only not be scheduled again',
    pod('one'),
    node('n', { spec: { taints: [{ ...taint, effect: 'NoSchedule' }] } }),
    undefined,
  ],
  [
    'is of another system',
    pod('one', { os: { name: 'windows' } }),
    node('n'),
    "PodOSNotSupported: Failed to admit pod as the OS field doesn't match node OS",
  ],
])('admitPod() of a pod that %s', (_, one, where, refusal) => {
  const found = admitPod(one, where);
  expect(found && `${found.reason}: ${found.message}`).toBe(refusal);
});
