import type { Node, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { planEvictions } from './plan-evictions.ts';

const nowMs = Date.UTC(2030, 0, 2);

function node(name: string, ready: string): Stored<Node> {
  const conditions = [{ type: 'Ready', status: ready }];
  return stored<Node>('Node', { metadata: { name }, status: { conditions } });
}

function tainted(nodes: readonly Stored<Node>[], lastMs = new Map<string, number>()) {
  const { taints } = planEvictions(nodes, lastMs, nowMs);
  return taints.map((one) => `${one.node.metadata.name} ${one.taints[0]?.key ?? 'none'}`);
}

test('planEvictions() taints by what is known of the node', () => {
  expect(tainted([node('a', 'True'), node('b', 'Unknown')])).toEqual([
    'b node.kubernetes.io/unreachable',
  ]);
  expect(tainted([node('a', 'True'), node('b', 'False')])).toEqual([
    'b node.kubernetes.io/not-ready',
  ]);
});

test('planEvictions() gives up one node at a time, ten seconds apart', () => {
  const nodes = [node('a', 'True'), node('b', 'Unknown'), node('c', 'Unknown')];
  expect(tainted(nodes)).toHaveLength(1);
  expect(tainted(nodes, new Map([['/', nowMs - 9_999]]))).toEqual([]);
  expect(tainted(nodes, new Map([['/', nowMs - 10_000]]))).toHaveLength(1);
});

test('planEvictions() gives up nobody when all nodes are silent, and takes it back', () => {
  const taints = [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }];
  const given = { ...node('b', 'Unknown'), spec: { taints } };
  expect(tainted([node('a', 'Unknown'), given])).toEqual(['b none']);
});

test('planEvictions() gives up nobody in a small zone of which more than half is silent', () => {
  const sick = ['b', 'c', 'd'].map((name) => node(name, 'Unknown'));
  expect(tainted([node('a', 'True'), ...sick])).toEqual([]);
});
