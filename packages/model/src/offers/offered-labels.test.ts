import type { Node, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { offeredLabels } from './offered-labels.ts';

function nodeWith(gpu: string | undefined): Stored<Node> {
  const labels: Record<string, string> = gpu === undefined ? {} : { gpu };
  const metadata = { name: 'n', uid: 'n', resourceVersion: '1', creationTimestamp: '', labels };
  return { apiVersion: 'v1', kind: 'Node', metadata };
}

const none = [nodeWith(undefined), nodeWith('false')];
const any = [nodeWith('true'), nodeWith(undefined)];
const all = [nodeWith('true'), nodeWith('')];

test.each([
  ['LabelPolicyAnyTrue', 'false', 'true', 'true', 'false'],
  ['LabelPolicyAllTrue', 'false', 'false', 'true', 'false'],
  ['LabelPolicyAnyTrueNoLabelIfFalse', undefined, '', '', undefined],
  ['LabelPolicyAllTrueNoLabelIfFalse', undefined, undefined, '', undefined],
] as const)(
  'offeredLabels() by %s: none %s, any %s, all %s, without nodes %s',
  (policy, ...labels) => {
    const values = [none, any, all, []].map(
      (nodes) => offeredLabels(nodes, [{ key: 'gpu', policy }]).gpu,
    );
    expect(values).toEqual(labels);
  },
);

test('offeredLabels() offers no label without a policy', () => {
  expect(offeredLabels(all)).toEqual({});
});

test('offeredLabels() takes no inherited member for a label', () => {
  const policy = 'LabelPolicyAnyTrueNoLabelIfFalse';
  expect(offeredLabels(all, [{ key: 'constructor', policy }])).toEqual({});
});
