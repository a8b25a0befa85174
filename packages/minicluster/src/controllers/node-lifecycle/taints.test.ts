import { expect, test } from 'vitest';
import { planExecuteTaints, planScheduleTaints, toleratedMs, tolerates } from './taints.ts';

const now = '2030-01-01T00:00:00Z';
const taint = { key: 'a', value: 'x', effect: 'NoExecute' };

test.each([
  ['everything', { operator: 'Exists' }, true],
  ['the key', { key: 'a', operator: 'Exists' }, true],
  ['key and value', { key: 'a', value: 'x' }, true],
  ['another value', { key: 'a', value: 'y' }, false],
  ['another effect', { key: 'a', operator: 'Exists', effect: 'NoSchedule' }, false],
])('tolerates() compares %s', (_, toleration, expected) => {
  expect(tolerates(toleration, taint)).toBe(expected);
});

test.each([
  ['at once without a toleration', [], 0],
  ['for ever with an unlimited one', [{ operator: 'Exists' }], Number.POSITIVE_INFINITY],
  [
    'for the shortest of the limits',
    [
      { operator: 'Exists', tolerationSeconds: 5 },
      { key: 'a', operator: 'Exists', tolerationSeconds: 3 },
    ],
    3_000,
  ],
])('toleratedMs() lets a pod stay %s', (_, tolerations, expected) => {
  expect(toleratedMs([taint], tolerations)).toBe(expected);
});

test('planScheduleTaints() follows conditions and leaves foreign taints alone', () => {
  const foreign = { key: 'example.org/mine', effect: 'NoSchedule' };
  const stale = { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' };
  const conditions = [{ type: 'Ready', status: 'False' }];
  const node = { spec: { taints: [foreign, stale] }, status: { conditions } };
  const planned = [
    foreign,
    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule', timeAdded: now },
  ];
  expect(planScheduleTaints(node, now)).toEqual(planned);
  expect(planScheduleTaints({ ...node, spec: { taints: planned } }, now)).toBeUndefined();
});

test('planExecuteTaints() swaps one taint for the other', () => {
  const unreachable = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
  const node = { spec: { taints: [unreachable] } };
  expect(planExecuteTaints(node, 'node.kubernetes.io/not-ready', now)).toEqual([
    { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute', timeAdded: now },
  ]);
  expect(planExecuteTaints(node, 'node.kubernetes.io/unreachable', now)).toBeUndefined();
  expect(planExecuteTaints(node, undefined, now)).toEqual([]);
});
