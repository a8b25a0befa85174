import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import { tenantNamespace } from '../../testing/forge-facts.ts';
import { type SliceSurroundings, sliceProblems } from './slice-problems.ts';

const around: SliceSurroundings = {
  ownClusterID: 'rome',
  namespaces: [tenantNamespace('milan'), tenantNamespace('turin')] as never,
  slices: [],
  virtualNodes: [],
  node: undefined,
};
const [label, destination] = ['liqo.io/remote-cluster-id', 'liqo.io/remoteID'];
const copied = { 'liqo.io/replicated': 'true', 'liqo.io/replication': 'false' };
const wanted = { annotations: { 'liqo.io/create-virtual-node': 'true' } };

const slice = (spec: object = {}, metadata: object = {}) =>
  ({
    metadata: { name: 'mypool', namespace: 'liqo-tenant-milan', ...metadata },
    spec,
  }) as KubeObject;

const asking = (resources: unknown) => slice({ resources });
const labelled = (labels: object) => slice({}, { labels });
const named = (namespace: string, labels?: object) => ({
  metadata: { name: 'mypool', namespace, ...(labels && { labels }) },
});

test.each<[string, KubeObject, Partial<SliceSurroundings>, readonly string[]]>([
  ['for the provider of its namespace', slice(), {}, []],
  ['that names it', slice({ providerClusterID: 'milan', consumerClusterID: 'rome' }), {}, []],
  ['with amounts', asking({ cpu: '4', memory: '8Gi', 'nvidia.com/gpu': 2 }), {}, []],
  ['with a negative amount', asking({ cpu: '-1' }), {}, ['spec.resources[cpu]: "-1" is negative']],
  [
    'with what is no quantity',
    asking({ cpu: 'four' }),
    {},
    ['spec.resources[cpu]: Cannot parse quantity "four"'],
  ],
  ['with an object for an amount', asking({ cpu: {} }), {}, ['spec.resources[cpu]: it is not a']],
  ['with half a pod', asking({ pods: '0.5' }), {}, ['spec.resources[pods]: "0.5" is not a whole']],
  [
    'with a strange name',
    asking({ 'a b': '1' }),
    {},
    ['spec.resources[a b]: "a b" is not the name'],
  ],
  ['with no map of amounts', asking([]), {}, ['spec.resources: it is not a map']],
  [
    'of another consumer',
    slice({ consumerClusterID: 'paris' }),
    {},
    ['spec.consumerClusterID: "paris" is not this cluster, "rome"'],
  ],
  [
    'for an unknown provider',
    slice({ providerClusterID: 'oslo' }),
    {},
    ['spec.providerClusterID: "oslo" is not the provider of this namespace: the namespace'],
  ],
  [
    'for the provider of another namespace',
    slice({ providerClusterID: 'turin' }),
    {},
    ['spec.providerClusterID: "turin" is not the provider of this namespace: the tenant namespace'],
  ],
  [
    'with another destination',
    labelled({ [destination]: 'turin' }),
    {},
    ['metadata.labels["liqo.io/remoteID"]: "turin" is not the provider of this namespace'],
  ],
  [
    'outside of tenant namespaces',
    slice({}, { namespace: 'default' }),
    {},
    ['metadata.namespace: "default" is not the tenant namespace of a provider'],
  ],
  [
    'with the label of another cluster',
    labelled({ [label]: 'turin' }),
    {},
    ['metadata.labels["liqo.io/remote-cluster-id"]: "turin" is not the cluster of this namespace'],
  ],
  [
    'that is a copy, with the label of another cluster',
    labelled({ ...copied, [label]: 'turin' }),
    {},
    ['metadata.labels["liqo.io/remote-cluster-id"]: "turin" is not the cluster of this namespace'],
  ],
  ['that is a copy', slice({ consumerClusterID: 'milan' }, { labels: copied }), {}, []],
  [
    'that is a copy, with a negative amount',
    slice({ resources: { cpu: '-1' } }, { labels: copied }),
    {},
    ['spec.resources[cpu]: "-1" is negative'],
  ],
  [
    'that stays in this cluster',
    slice({}, { namespace: 'default', labels: { 'liqo.io/replication': 'false' } }),
    {},
    [],
  ],
  [
    'with the name of another',
    slice(),
    { slices: [named('liqo-tenant-turin')] as never },
    ['metadata.name: the ResourceSlice "liqo-tenant-turin/mypool" has the name already'],
  ],
  ['with the name of a copy', slice(), { slices: [named('x', copied)] as never }, []],
  ['with the name of itself', slice(), { slices: [named('liqo-tenant-milan')] as never }, []],
  [
    'with the name of a VirtualNode elsewhere',
    slice({}, wanted),
    { virtualNodes: [named('liqo-tenant-turin')] as never },
    ['metadata.name: the VirtualNode "liqo-tenant-turin/mypool" has the name already'],
  ],
  [
    'without a virtual node, and with the name of one',
    slice(),
    { virtualNodes: [named('liqo-tenant-turin')] as never, node: named('') as never },
    [],
  ],
  [
    'with the name of a real Node',
    slice({}, wanted),
    { node: { metadata: { name: 'mypool', labels: {} } } as never },
    ['metadata.name: the Node "mypool" has the name already'],
  ],
  [
    'with the name of a virtual Node',
    slice({}, wanted),
    { node: { metadata: { labels: { 'liqo.io/type': 'virtual-node' } } } as never },
    [],
  ],
])('sliceProblems() of one %s', (_, object, more, expected) => {
  const found = sliceProblems(object, { ...around, ...more });
  expect(found.map(({ path, message }) => `${path}: ${message}`)).toHaveLength(expected.length);
  for (const [nth, { path, message }] of found.entries()) {
    expect(`${path}: ${message}`).toContain(expected[nth]);
  }
});
