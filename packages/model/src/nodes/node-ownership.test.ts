import type { Node, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import { findNamesake, isNodeOf } from './node-ownership.ts';

const older = storedVirtualNode(
  {},
  { namespace: 'a', uid: '2', creationTimestamp: '2025-01-01T00:00:00Z' },
);
const younger = storedVirtualNode({}, { namespace: 'b', uid: '1' });
const other = storedVirtualNode(
  {},
  { name: 'other', uid: '0', creationTimestamp: '2024-01-01T00:00:00Z' },
);
const everywhere = () => true;

test('findNamesake() gives a name to the older of two, and to nobody else', () => {
  const all = [younger, other, older];
  expect(findNamesake(younger, all, everywhere)).toBe(older);
  expect(findNamesake(older, all, everywhere)).toBeUndefined();
  expect(findNamesake(other, all, everywhere)).toBeUndefined();
});

test('findNamesake() gives it to the one in a tenant namespace, whatever their age', () => {
  const inTenantNamespace = ({ metadata }: typeof older) => metadata.namespace === 'b';
  const all = [older, younger];
  expect(findNamesake(younger, all, inTenantNamespace)).toBeUndefined();
  expect(findNamesake(older, all, inTenantNamespace)).toBe(younger);
});

test('findNamesake() gives it to one of two of the same second', () => {
  const [one, two] = ['1', '2'].map((uid) => storedVirtualNode({}, { namespace: uid, uid }));
  if (!one || !two) throw new Error('two');
  const found = [one, two].map((each) => findNamesake(each, [one, two], everywhere));
  expect(found).toEqual([undefined, one]);
});

const nodeWith = (labels: Record<string, string>) => ({ metadata: { labels } }) as Stored<Node>;
test.each([
  [
    'a virtual node of that provider',
    { 'liqo.io/type': 'virtual-node', 'liqo.io/remote-cluster-id': 'milan' },
    true,
  ],
  [
    'one of another provider',
    { 'liqo.io/type': 'virtual-node', 'liqo.io/remote-cluster-id': 'oslo' },
    false,
  ],
  ['a node that merely has the label', { 'liqo.io/remote-cluster-id': 'milan' }, false],
  ['any other node', {}, false],
])('isNodeOf() knows %s', (_, labels, known) => {
  expect(isNodeOf(nodeWith(labels as Record<string, string>), 'milan')).toBe(known);
});
