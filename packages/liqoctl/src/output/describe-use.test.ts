import { expect, test } from 'vitest';
import { describeUse } from './describe-use.ts';

const granted = { 'ephemeral-storage': '20Gi', memory: '8Gi', 'nvidia.com/gpu': '2', cpu: '4' };

test.each([
  ['nothing in use', {}, 'cpu 0/4, memory 0/8Gi'],
  [
    'a resource that few ask for',
    { 'nvidia.com/gpu': '1' },
    'cpu 0/4, memory 0/8Gi, nvidia.com/gpu 1/2',
  ],
  ['more than is granted any more', { cpu: '5' }, 'cpu 5/4, memory 0/8Gi'],
  ['pods where they are not limited', { pods: '3' }, 'cpu 0/4, memory 0/8Gi, pods 3'],
  ['what may not be listed', undefined, ''],
])('describeUse() shows %s', (_, used, text) => {
  expect(describeUse(used, granted)).toBe(text);
});

test('describeUse() is empty without a grant', () => {
  expect(describeUse({}, undefined)).toBe('');
});
