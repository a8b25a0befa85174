import type { VirtualNode } from '@liqo/api';
import type { Node, Stored } from '@liqo/kube';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import { nodeHead, wantedLabels } from './forge-node.ts';

const none = { labels: {}, annotations: {} };
const notAllowed = { key: 'virtual-node.liqo.io/not-allowed', value: 'true', effect: 'NoExecute' };

/** The Node as it is when somebody did what was asked for. */
function nodeAfter(
  virtualNode: Stored<VirtualNode>,
  before?: Stored<Node>,
  extras = none,
): Stored<Node> {
  const { metadata, taints } = nodeHead(virtualNode, extras, before);
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'mynode',
      uid: 'x',
      resourceVersion: '1',
      creationTimestamp: '',
      ...metadata,
    },
    spec: { taints: [...taints] },
  } as Stored<Node>;
}

describe('nodeHead()', () => {
  test('has the labels and the taint that Liqo v1.2.0 gives', () => {
    const virtualNode = storedVirtualNode({ storageClasses: [{ storageClassName: 'liqo' }] });
    const { metadata, taints } = nodeHead(virtualNode, none, undefined);
    expect(metadata.labels).toEqual({
      'alpha.service-controller.kubernetes.io/exclude-balancer': 'true',
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/hostname': 'mynode',
      'kubernetes.io/os': 'linux',
      'kubernetes.io/role': 'agent',
      'liqo.io/remote-cluster-id': 'milan',
      'liqo.io/type': 'virtual-node',
      'node.kubernetes.io/exclude-from-external-load-balancers': 'true',
      'storage.liqo.io/available': 'true',
    });
    expect(taints).toEqual([notAllowed]);
  });

  test('takes over labels, annotations and taints, those of the VirtualNode last', () => {
    const taint = { key: 'gpu', effect: 'NoSchedule' as const };
    const spec = { labels: { zone: 'own' }, annotations: { note: 'own' }, taints: [taint] };
    const extras = { labels: { zone: 'extra', more: 'x' }, annotations: { note: 'extra' } };
    const { metadata, taints } = nodeHead(storedVirtualNode(spec), extras, undefined);
    expect(metadata.labels).toMatchObject({ zone: 'own', more: 'x' });
    expect(metadata.annotations).toMatchObject({ note: 'own' });
    expect(taints).toEqual([notAllowed, taint]);
  });

  test('is a virtual node of its provider, whatever somebody writes', () => {
    const lies = { 'liqo.io/type': 'real', 'liqo.io/remote-cluster-id': 'oslo' };
    const { labels } = nodeHead(storedVirtualNode({ labels: lies }), none, undefined).metadata;
    expect(labels).toMatchObject({
      'liqo.io/type': 'virtual-node',
      'liqo.io/remote-cluster-id': 'milan',
    });
  });

  test('takes away what is no longer wanted, and leaves what others put there', () => {
    const rich = storedVirtualNode({
      labels: { zone: 'north' },
      annotations: { note: 'x' },
      taints: [{ key: 'gpu', effect: 'NoSchedule' }],
    });
    const node = nodeAfter(rich);
    const theirs = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
    const meddled = {
      ...node,
      metadata: {
        ...node.metadata,
        labels: { ...node.metadata.labels, theirs: 'yes' },
        annotations: { ...node.metadata.annotations, theirs: 'yes' },
      },
      spec: { taints: [...(node.spec?.taints ?? []), theirs] },
    } as Stored<Node>;
    const { metadata, taints } = nodeHead(storedVirtualNode(), none, meddled);
    expect(metadata.labels).toHaveProperty('theirs', 'yes');
    expect(metadata.labels).not.toHaveProperty('zone');
    expect(metadata.annotations).toHaveProperty('theirs', 'yes');
    expect(metadata.annotations).not.toHaveProperty('note');
    expect(taints).toEqual([notAllowed, theirs]);
  });

  test('puts back the taint that keeps pods away, once', () => {
    const own = storedVirtualNode({ taints: [{ key: notAllowed.key, effect: 'NoExecute' }] });
    const node = nodeAfter(own);
    expect(node.spec?.taints).toEqual([notAllowed]);
    const bare = { ...node, spec: { taints: [] } } as Stored<Node>;
    expect(nodeHead(own, none, bare).taints).toEqual([notAllowed]);
  });

  test('asks for nothing more once it was obeyed, whatever was there before', () => {
    const entries = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2'));
    const taints = fc.uniqueArray(
      fc.record({
        key: fc.constantFrom('x', 'y'),
        effect: fc.constantFrom('NoSchedule' as const, 'NoExecute' as const),
      }),
      { selector: ({ key, effect }) => `${key}:${effect}` },
    );
    const specs = fc.record({ labels: entries, annotations: entries, taints });
    fc.assert(
      fc.property(specs, specs, (one, other) => {
        const before = nodeAfter(storedVirtualNode(one));
        const virtualNode = storedVirtualNode(other);
        const after = nodeAfter(virtualNode, before);
        expect(nodeAfter(virtualNode, after)).toEqual(after);
        expect(after).toEqual(nodeAfter(virtualNode));
      }),
    );
  });
});

test.each([
  [[{ storageClassName: 'fast' }], 'true'],
  [[], 'false'],
  [undefined, 'false'],
])('wantedLabels() says whether there is storage: %j', (storageClasses, available) => {
  const virtualNode = storedVirtualNode(storageClasses ? { storageClasses } : {});
  expect(wantedLabels(virtualNode, none)['storage.liqo.io/available']).toBe(available);
});
