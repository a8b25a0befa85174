import { describe, expect, test } from 'vitest';
import { normalizeScores, type ScorePlugin } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { cluster, node, pod, requesting } from '../testing/forge.ts';
import { balancedAllocation } from './balanced-allocation.ts';
import { evenSpread } from './even-spread.ts';
import { leastAllocated } from './least-allocated.ts';
import { preferredNodes } from './node-affinity.ts';
import { preferredNeighbours } from './preferred-neighbours.ts';
import { fewTaints } from './taint-toleration.ts';

function score(plugin: ScorePlugin, one: PodInfo, nodes: Parameters<typeof cluster>[0]) {
  const view = cluster(nodes);
  return plugin.score(one, view.nodes, view);
}

test.each([
  [[0, 5, 10], false, [0, 50, 100]],
  [[0, 5, 10], true, [100, 50, 0]],
  [[0, 0], false, [0, 0]],
  [[0, 0], true, [100, 100]],
])('normalizeScores(%j, %s) is %j', (scores, reverse, expected) => {
  expect(normalizeScores(scores, reverse)).toEqual(expected);
});

test('leastAllocated prefers the node of which more would be left', () => {
  const used = pod('used', { containers: requesting({ cpu: '2', memory: '4Gi' }) });
  const one = pod('p', { containers: requesting({ cpu: '1', memory: '2Gi' }) });
  expect(score(leastAllocated, one, [node('a'), node('b', { pods: [used] })])).toEqual([75, 25]);
});

test('leastAllocated counts something for pods that request nothing', () => {
  const idle = pod('idle', { containers: requesting({}) });
  const [empty = 0, used = 0] =
    score(leastAllocated, idle, [node('a'), node('b', { pods: [idle] })]) ?? [];
  expect(empty).toBeGreaterThan(used);
});

test('balancedAllocation prefers the node whose CPU and memory would be used alike', () => {
  const busy = pod('busy', { containers: requesting({ cpu: '2' }) });
  const one = pod('p', { containers: requesting({ cpu: '1', memory: '2Gi' }) });
  expect(score(balancedAllocation, one, [node('a'), node('b', { pods: [busy] })])).toEqual([
    100, 75,
  ]);
});

test('balancedAllocation has no opinion on pods that request nothing', () => {
  expect(score(balancedAllocation, pod('p'), [node('a')])).toBeUndefined();
});

test('fewTaints prefers nodes with fewer discouraging taints', () => {
  const taints = [{ key: 'k', effect: 'PreferNoSchedule' }];
  const nodes = [node('a'), node('b', { spec: { taints } })];
  expect(score(fewTaints, pod('p'), nodes)).toEqual([100, 0]);
  const tolerations = [{ key: 'k', operator: 'Exists' }];
  expect(score(fewTaints, pod('p', { tolerations }), nodes)).toEqual([100, 100]);
});

test('preferredNodes adds up the weights of the terms that match', () => {
  const prefer = (weight: number, value: string) => ({
    weight,
    preference: { matchExpressions: [{ key: 'zone', operator: 'In', values: [value] }] },
  });
  const preferred = [prefer(20, 'a'), prefer(10, 'b')];
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: preferred };
  const nodes = ['a', 'b', 'c'].map((zone) => node(zone, { labels: { zone } }));
  expect(score(preferredNodes, pod('p', { affinity: { nodeAffinity } }), nodes)).toEqual([
    100, 50, 0,
  ]);
});

describe('preferredNeighbours', () => {
  const wish = (weight: number) => ({
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight,
        podAffinityTerm: {
          labelSelector: { matchLabels: { app: 'web' } },
          topologyKey: 'kubernetes.io/hostname',
        },
      },
    ],
  });
  const web = pod('web', {}, { labels: { app: 'web' } });

  test.each([
    ['prefers wanted company', { podAffinity: wish(5) }, [100, 0]],
    ['avoids unwanted company', { podAntiAffinity: wish(5) }, [0, 100]],
  ])('%s', (_, affinity, scores) => {
    const nodes = [node('a', { pods: [web] }), node('b')];
    expect(score(preferredNeighbours, pod('p', { affinity }), nodes)).toEqual(scores);
  });

  test('heeds the wishes of pods that are there', () => {
    const shy = pod('shy', { affinity: { podAntiAffinity: wish(5) } });
    expect(score(preferredNeighbours, web, [node('a', { pods: [shy] }), node('b')])).toEqual([
      0, 100,
    ]);
  });
});

test('evenSpread prefers places with fewer matching pods', () => {
  const labels = { app: 'web' };
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: labels },
    },
  ];
  const web = (name: string) => pod(name, {}, { labels });
  const nodes = [
    node('a', { pods: [web('1'), web('2')] }),
    node('b', { pods: [web('3')] }),
    node('c'),
  ];
  const [a = 0, b = 0, c = 0] =
    score(evenSpread, pod('p', { topologySpreadConstraints }, { labels }), nodes) ?? [];
  expect(c).toBe(100);
  expect(b).toBeLessThan(c);
  expect(a).toBeLessThan(b);
});
