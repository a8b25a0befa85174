import type { PodAffinityTerm } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, test } from 'vitest';
import type { FilterPlugin } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import { cluster, node, pod, requesting } from '../testing/forge.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesFit } from './node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { taintToleration } from './taint-toleration.ts';

type Nodes = Parameters<typeof cluster>[0];
type Namespaces = Parameters<typeof cluster>[1];

/** The nodes that are left, and the reasons why the others are not. */
function filter(plugin: FilterPlugin, one: PodInfo, nodes: Nodes, namespaces?: Namespaces) {
  const view = cluster(nodes, namespaces);
  const filterNode = plugin.prepare(one, view);
  const verdicts = view.nodes.map((each) => ({ name: each.name, rejection: filterNode?.(each) }));
  return {
    left: verdicts.filter(({ rejection }) => !rejection).map(({ name }) => name),
    reasons: verdicts.flatMap(({ rejection }) => rejection?.reasons ?? []),
  };
}

describe('nodeUnschedulable', () => {
  const nodes = [node('open'), node('cordoned', { spec: { unschedulable: true } })];
  const toleration = { key: 'node.kubernetes.io/unschedulable', operator: 'Exists' };

  test.each([
    ['leaves out cordoned nodes', pod('p'), ['open']],
    [
      'lets those pass who tolerate it',
      pod('p', { tolerations: [toleration] }),
      ['open', 'cordoned'],
    ],
  ])('%s', (_, one, left) => expect(filter(nodeUnschedulable, one, nodes).left).toEqual(left));
});

test('nodeName leaves only the node that the pod names', () => {
  const nodes = [node('a'), node('b')];
  expect(filter(nodeName, pod('p', { nodeName: 'b' }), nodes).left).toEqual(['b']);
  expect(filter(nodeName, pod('p'), nodes).left).toEqual(['a', 'b']);
});

describe('taintToleration', () => {
  const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

  test.each([
    ['refuses without a toleration', [], taint, false],
    ['accepts an equal toleration', [{ key: 'k', value: 'v', effect: 'NoSchedule' }], taint, true],
    ['refuses another value', [{ key: 'k', operator: 'Equal', value: 'w' }], taint, false],
    ['accepts any value with Exists', [{ key: 'k', operator: 'Exists' }], taint, true],
    ['accepts everything with a bare Exists', [{ operator: 'Exists' }], taint, true],
    ['refuses another effect', [{ operator: 'Exists', effect: 'NoExecute' }], taint, false],
    ['refuses NoExecute too', [], { ...taint, effect: 'NoExecute' }, false],
    ['does not mind PreferNoSchedule', [], { ...taint, effect: 'PreferNoSchedule' }, true],
  ])('%s', (_, tolerations, one, passes) => {
    const nodes = [node('a', { spec: { taints: [one] } })];
    const { left } = filter(taintToleration, pod('p', { tolerations }), nodes);
    expect(left).toEqual(passes ? ['a'] : []);
  });
});

describe('nodeAffinity', () => {
  const nodes = [
    node('a', { labels: { zone: 'x' } }),
    node('b', { labels: { zone: 'y', ssd: '1' } }),
  ];
  const requiring = (...nodeSelectorTerms: object[]) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
      },
    },
  });
  const inZone = (...values: string[]) => ({
    matchExpressions: [{ key: 'zone', operator: 'In', values }],
  });
  const named = (name: string) => ({
    matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }],
  });

  test.each([
    ['nodeSelector', pod('p', { nodeSelector: { zone: 'x' } }), ['a']],
    ['all labels of nodeSelector', pod('p', { nodeSelector: { zone: 'x', ssd: '1' } }), []],
    ['one of several terms', pod('p', requiring(inZone('x'), inZone('y'))), ['a', 'b']],
    ['names', pod('p', requiring(named('b'))), ['b']],
    ['both', pod('p', { nodeSelector: { zone: 'x' }, ...requiring(inZone('y')) }), []],
    ['no terms at all', pod('p', requiring()), []],
  ])('heeds %s', (_, one, left) => expect(filter(nodeAffinity, one, nodes).left).toEqual(left));

  test('preselects nodes only when every term names some', () => {
    expect(nodeAffinity.preselect?.(pod('p', requiring(named('a'), named('b'))))).toEqual(
      new Set(['a', 'b']),
    );
    expect(nodeAffinity.preselect?.(pod('p', requiring(named('a'), inZone('y'))))).toBeUndefined();
  });
});

describe('nodeResourcesFit', () => {
  const full = pod('full', { containers: requesting({ cpu: '3500m', memory: '1Gi' }) });

  test.each([
    ['fits', { cpu: '500m' }, []],
    ['lacks CPU', { cpu: '501m' }, ['Insufficient cpu']],
    ['lacks both', { cpu: '1', memory: '8Gi' }, ['Insufficient cpu', 'Insufficient memory']],
    [
      'lacks what the node has none of',
      { 'example.org/gpu': '1' },
      ['Insufficient example.org/gpu'],
    ],
    ['asks for nothing', {}, []],
    ['asks for none of what is not there', { 'example.org/gpu': '0' }, []],
  ])('says what a pod %s', (_, requests, reasons) => {
    const one = pod('p', { containers: requesting(requests) });
    const nodes = [node('a', { pods: [full] })];
    expect(filter(nodeResourcesFit, one, nodes).reasons).toEqual(reasons);
  });

  test('counts pods', () => {
    const nodes = [node('a', { allocatable: { pods: '1' }, pods: [full] })];
    expect(filter(nodeResourcesFit, pod('p'), nodes).reasons).toEqual(['Too many pods']);
  });

  test('can be resolved by the leaving of others only if the node is large enough', () => {
    const check = (cpu: string) => {
      const one = pod('p', { containers: requesting({ cpu }) });
      const a = node('a', { pods: [full] });
      return nodeResourcesFit.prepare(one, cluster([a]))?.(a)?.resolvable;
    };
    expect([check('4'), check('5')]).toEqual([true, false]);
  });
});

describe('nodePorts', () => {
  const using = (hostPort: number, more: object = {}) =>
    pod(`p${hostPort}`, {
      containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort, ...more }] }],
    });
  const nodes = [node('a', { pods: [using(8080, { hostIP: '10.0.0.1' })] })];

  test.each([
    ['refuses the same port on any address', using(8080), []],
    ['refuses the same port on the same address', using(8080, { hostIP: '10.0.0.1' }), []],
    ['accepts the same port on another address', using(8080, { hostIP: '10.0.0.2' }), ['a']],
    ['accepts another protocol', using(8080, { protocol: 'UDP' }), ['a']],
    ['accepts another port', using(8081), ['a']],
  ])('%s', (_, one, left) => expect(filter(nodePorts, one, nodes).left).toEqual(left));
});

describe('interPodAffinity', () => {
  const term = (app: string, more: object = {}) => ({
    labelSelector: { matchLabels: { app } },
    topologyKey: 'zone',
    ...more,
  });
  const near = (...terms: PodAffinityTerm[]) => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const apart = (...terms: PodAffinityTerm[]) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
  });
  const labels = { app: 'web' };
  const web = pod('web', {}, { labels });
  const foreign = pod('foreign', {}, { labels: { app: 'db' }, namespace: 'other' });
  const nodes = () => [
    node('a1', { labels: { zone: 'a' }, pods: [web] }),
    node('a2', { labels: { zone: 'a' } }),
    node('b1', { labels: { zone: 'b' }, pods: [foreign] }),
    node('nowhere'),
  ];
  const namespaces = { default: {}, other: { team: 'red' } };
  const teamRed = { namespaceSelector: { matchLabels: { team: 'red' } } };

  test.each([
    ['finds company in the zone', pod('p', near(term('web'))), ['a1', 'a2']],
    ['looks in its own namespace only', pod('p', near(term('db'))), []],
    [
      'looks in namespaces that are named',
      pod('p', near(term('db', { namespaces: ['other'] }))),
      ['b1'],
    ],
    ['looks in namespaces that are selected', pod('p', near(term('db', teamRed))), ['b1']],
    ['must find all at one place', pod('p', near(term('web'), term('db', teamRed))), []],
    [
      'starts a series anywhere with the label',
      pod('p', near(term('new')), { labels: { app: 'new' } }),
      ['a1', 'a2', 'b1'],
    ],
    ['keeps apart', pod('p', apart(term('web'))), ['b1', 'nowhere']],
    ['has nothing to say otherwise', pod('p'), ['a1', 'a2', 'b1', 'nowhere']],
  ])('%s', (_, one, left) => {
    expect(filter(interPodAffinity, one, nodes(), namespaces).left).toEqual(left);
  });

  test('heeds the objections of pods that are there', () => {
    const shy = pod('shy', apart(term('web')));
    const view = [
      node('a1', { labels: { zone: 'a' }, pods: [shy] }),
      node('b1', { labels: { zone: 'b' } }),
    ];
    const { left, reasons } = filter(interPodAffinity, web, view);
    expect(left).toEqual(['b1']);
    expect(reasons).toEqual(["node(s) didn't satisfy existing pods anti-affinity rules"]);
  });
});

describe('podTopologySpread', () => {
  const labels = { app: 'web' };
  const spread = (more: object = {}) => ({
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: labels },
        ...more,
      },
    ],
  });
  const web = (name: string) => pod(name, {}, { labels });
  const taints = [{ key: 'k', effect: 'NoSchedule' }];
  const nodes = () => [
    node('a', { labels: { zone: 'a' }, pods: [web('1'), web('2')] }),
    node('b', { labels: { zone: 'b' }, pods: [web('3')] }),
    node('c', { labels: { zone: 'c' }, spec: { taints } }),
    node('nowhere'),
  ];

  test.each([
    ['leaves the emptiest place', pod('p', spread(), { labels }), ['c']],
    ['allows the skew it is given', pod('p', spread({ maxSkew: 2 }), { labels }), ['b', 'c']],
    ['does not count whom it does not select', pod('p', spread({ maxSkew: 2 })), ['a', 'b', 'c']],
    [
      'leaves tainted nodes out when told to',
      pod('p', spread({ nodeTaintsPolicy: 'Honor' }), { labels }),
      ['b', 'c'],
    ],
    [
      'leaves out nodes the pod may not go to',
      pod('p', { ...spread(), nodeSelector: { zone: 'a' } }, { labels }),
      ['a', 'b', 'c'],
    ],
    [
      'takes too few places for empty ones',
      pod('p', spread({ minDomains: 5, maxSkew: 2 }), { labels }),
      ['b', 'c'],
    ],
  ])('%s', (_, one, left) => {
    expect(filter(podTopologySpread, one, nodes()).left).toEqual(left);
  });

  test('refuses nodes that are in no place', () => {
    const { reasons } = filter(podTopologySpread, pod('p', spread()), [node('nowhere')]);
    expect(reasons).toEqual([
      "node(s) didn't match pod topology spread constraints (missing required label)",
    ]);
  });
});
