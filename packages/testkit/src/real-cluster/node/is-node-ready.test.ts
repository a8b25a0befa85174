import { expect, test } from 'vitest';
import { isNodeReady } from './is-node-ready.ts';

const status = { conditions: [{ type: 'Ready', status: 'True' }] };
const tainted = (name: string, effect: string) => ({
  spec: { taints: [{ key: `node.kubernetes.io/${name}`, effect }] },
  status,
});

test.each([
  ['has not said anything', {}, false],
  ['is not ready', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }, false],
  [
    'has another good condition',
    { status: { conditions: [{ type: 'X', status: 'True' }] } },
    false,
  ],
  ['is ready', { status }, true],
  ['is ready, and shut as yet', tainted('not-ready', 'NoSchedule'), false],
  ['is ready again, and shut as yet', tainted('unreachable', 'NoSchedule'), false],
  ['is ready, and was not when its pods were looked at', tainted('not-ready', 'NoExecute'), true],
  ['is ready, and shut for another reason', tainted('unschedulable', 'NoSchedule'), true],
])('isNodeReady() of a node that %s', (_, node, ready) => {
  expect(isNodeReady(node)).toBe(ready);
});
