import type { Node, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { planCordon } from './plan-cordon.ts';

const mark = 'liqo.io/cordon-reason';

function node(unschedulable: boolean, reason?: string): Stored<Node> {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: 'mypool',
      uid: 'node-uid',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(reason !== undefined && { annotations: { [mark]: reason } }),
    },
    spec: unschedulable ? { unschedulable } : {},
  };
}

const cordon = (reason: string) => ({
  metadata: { uid: 'node-uid', annotations: { [mark]: reason } },
  spec: { unschedulable: true },
});
const uncordon = {
  metadata: { uid: 'node-uid', annotations: { [mark]: null } },
  spec: { unschedulable: null },
};

test.each<[name: string, node: Stored<Node>, why: string | undefined, change: object | undefined]>([
  ['leaves an open node open', node(false), undefined, undefined],
  ['cordons for a reason', node(false), 'denied', cordon('denied')],
  ['leaves a cordon for the same reason', node(true, 'denied'), 'denied', undefined],
  ['says another reason', node(true, 'denied'), 'going', cordon('going')],
  ['cordons again what a person has uncordoned', node(false, 'denied'), 'denied', cordon('denied')],
  ['ends its cordon', node(true, 'denied'), undefined, uncordon],
  ['leaves the cordon of an administrator', node(true), undefined, undefined],
  ['leaves that also with a reason of its own', node(true), 'denied', undefined],
])('planCordon() %s', (_, current, why, change) => {
  expect(planCordon(current, why)).toEqual(change);
});

test('planCordon() takes its mark away from a node that a person has uncordoned', () => {
  expect(planCordon(node(false, 'denied'), undefined)).toEqual({
    metadata: { uid: 'node-uid', annotations: { [mark]: null } },
  });
});
