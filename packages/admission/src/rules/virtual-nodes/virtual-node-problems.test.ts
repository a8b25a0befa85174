import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import { tenantNamespace } from '../../testing/forge-facts.ts';
import { type VirtualNodeSurroundings, virtualNodeProblems } from './virtual-node-problems.ts';

const around: VirtualNodeSurroundings = {
  liqoNamespace: 'liqo',
  namespaces: [tenantNamespace('milan')] as never,
  virtualNodes: [],
  node: undefined,
  hasTemplate: true,
};
const virtual = { 'liqo.io/type': 'virtual-node', 'liqo.io/remote-cluster-id': 'milan' };
const node = (labels: object) => ({ node: { metadata: { name: 'north', labels } } as never });

const virtualNode = (spec: object = {}, metadata: object = {}) =>
  ({
    metadata: { name: 'north', namespace: 'liqo-tenant-milan', ...metadata },
    spec: { clusterID: 'milan', ...spec },
  }) as KubeObject;

const quota = (hard: unknown) => ({ resourceQuota: { hard } });

test.each<[string, KubeObject, Partial<VirtualNodeSurroundings>, readonly string[]]>([
  ['that is right', virtualNode(quota({ cpu: '4' })), {}, []],
  ['whose provider is named later', virtualNode({ clusterID: undefined }), {}, []],
  [
    'of a provider of another namespace',
    virtualNode({}, { namespace: 'default' }),
    {},
    ['spec.clusterID: the tenant namespace of "milan" is "liqo-tenant-milan"'],
  ],
  [
    'of an unknown provider',
    virtualNode({ clusterID: 'turin' }),
    {},
    ['spec.clusterID: the namespace "liqo-tenant-milan" does not have the labels'],
  ],
  [
    'with a name that is no label',
    virtualNode({}, { name: 'n'.repeat(64) }),
    {},
    ['metadata.name: "nnn'],
  ],
  [
    'with the name of another',
    virtualNode(),
    { virtualNodes: [{ metadata: { name: 'north', namespace: 'liqo-tenant-turin' } }] as never },
    ['metadata.name: the VirtualNode "liqo-tenant-turin/north" has the name already'],
  ],
  ['with the name of a real Node', virtualNode(), node({}), ['metadata.name: there is a Node']],
  ['whose Node exists already', virtualNode(), node(virtual), []],
  [
    'with a negative amount',
    virtualNode(quota({ cpu: '-1' })),
    {},
    ['spec.resourceQuota.hard[cpu]: "-1" is negative'],
  ],
  [
    'with what is no amount',
    virtualNode(quota({ cpu: [] })),
    {},
    ['spec.resourceQuota.hard[cpu]: it is not a quantity'],
  ],
  ['with no map of amounts', virtualNode(quota('x')), {}, ['spec.resourceQuota.hard: it is not']],
  [
    'without its options',
    virtualNode(),
    { hasTemplate: false },
    ['spec.vkOptionsTemplateRef: there is no such VkOptionsTemplate'],
  ],
  [
    'with options of another namespace',
    virtualNode({ vkOptionsTemplateRef: { name: 'x', namespace: 'default' } }),
    {},
    ['spec.vkOptionsTemplateRef: name a VkOptionsTemplate of "liqo" or of "liqo-tenant-milan"'],
  ],
])('virtualNodeProblems() of one %s', (_, object, more, expected) => {
  const found = virtualNodeProblems(object, { ...around, ...more });
  expect(found).toHaveLength(expected.length);
  for (const [nth, { path, message }] of found.entries()) {
    expect(`${path}: ${message}`).toContain(expected[nth]);
  }
});
