import { expect, test } from 'vitest';
import { acceptedNodeLabels } from './accepted-node-labels.ts';

test.each(['zone', 'example.org/tier', 'topology.kubernetes.io/region', 'liqo.io/provider'])(
  'acceptedNodeLabels() accepts %s',
  (key) => expect(acceptedNodeLabels({ [key]: 'a' })).toEqual({ [key]: 'a' }),
);

test.each([
  ['node-role.kubernetes.io/control-plane', ''],
  ['kubernetes.io/os', 'linux'],
  ['x.k8s.io/y', 'a'],
  ['liqo.io/type', 'a'],
  ['liqo.io/remote-cluster-id', 'turin'],
  ['a/b/c', 'a'],
  ['-', 'a'],
  ['Upper.org/x', 'a'],
  ['zone', 'not a value'],
  ['zone', 'x'.repeat(64)],
])('acceptedNodeLabels() leaves out %s=%s', (key, value) => {
  expect(acceptedNodeLabels({ [key]: value })).toEqual({});
});

test('acceptedNodeLabels() accepts 64 labels at most', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`l${index}`, 'a']));
  expect(Object.keys(acceptedNodeLabels(many))).toHaveLength(64);
});
