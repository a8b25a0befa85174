import { VirtualNode } from '@liqo/api';
import { Deployment, type Kind, type KubeObject, Node } from '@liqo/kube';
import { expect, test } from 'vitest';
import { Survey } from '../survey.ts';
import { findWrongNodes } from './nodes.ts';

function survey(...objects: readonly (readonly [kind: Kind, object: KubeObject])[]): Survey {
  const collections = new Map<string, Map<string, never>>();
  for (const [{ group, plural }, object] of objects) {
    const name = group ? `${plural}.${group}` : plural;
    const items = collections.get(name) ?? new Map<string, never>();
    collections.set(name, items.set(object.metadata?.name ?? '', object as never));
  }
  return new Survey('rome', collections);
}

function wanted(cpu: string, metadata: KubeObject['metadata'] = {}, createNode = true) {
  const spec = { createNode, resourceQuota: { hard: { cpu } } };
  return [VirtualNode, { metadata: { name: 'v1', ...metadata }, spec } as KubeObject] as const;
}

function node(status: string) {
  const conditions = [{ type: 'Ready', status, message: 'because' }];
  return [Node, { metadata: { name: 'v1' }, status: { conditions } } as KubeObject] as const;
}

const nobody = new Set<string>();

test.each([
  ['is ready, and may be', [wanted('8'), node('True')]],
  ['is not ready, and may not be', [wanted('0'), node('False')]],
  ['is not there, as nobody wants it', []],
  ['is absent, as createNode is false', [wanted('8', {}, false)]],
])('findWrongNodes() is content with a node that %s', (_, objects) => {
  expect(findWrongNodes({ home: survey(...objects), taken: nobody })).toEqual([]);
});

test.each([
  ['is not ready', [wanted('8'), node('False')], 'may be ready, and is False: because'],
  ['is absent', [wanted('8')], 'may be ready, and is absent'],
  ['is ready without any resources', [wanted('0'), node('True')], 'may not be ready, and is True'],
  ['never goes', [wanted('8', { deletionTimestamp: 'now' }), node('True')], 'never goes'],
  ['is left', [node('True')], 'is left without a virtual node that wants it'],
  ['stays with createNode false', [wanted('8', {}, false), node('False')], 'is left without'],
  [
    'has left its kubelet',
    [[Deployment, { metadata: { name: 'vk-v1' } }] as const],
    '"vk-v1" is left',
  ],
])('findWrongNodes() finds a node that %s', (_, objects, wrong) => {
  const home = survey(...objects);
  expect(findWrongNodes({ home, taken: nobody }).join()).toContain(wrong);
  expect(findWrongNodes({ home, taken: new Set(['v1']) })).toEqual([]);
});
