import { expect, test } from 'vitest';
import { isNodeReady } from './is-node-ready.ts';

test.each([
  ['has not said anything', {}, false],
  ['is not ready', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }, false],
  [
    'has another good condition',
    { status: { conditions: [{ type: 'X', status: 'True' }] } },
    false,
  ],
  ['is ready', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, true],
])('isNodeReady() of a node that %s', (_, node, ready) => {
  expect(isNodeReady(node)).toBe(ready);
});
