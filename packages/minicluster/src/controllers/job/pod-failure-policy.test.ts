import type { Pod } from '@liqo/kube';
import type { PodFailurePolicyRule } from 'kubernetes-types/batch/v1.d.ts';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { matchFailurePolicy } from './pod-failure-policy.ts';

function container(name: string, exitCode: number) {
  const state = { terminated: { exitCode } };
  return { name, ready: false, restartCount: 0, image: '', imageID: '', state };
}

const pod = stored<Pod>('Pod', {
  metadata: { name: 'sum' },
  status: {
    containerStatuses: [container('main', 3), container('side', 0)],
    initContainerStatuses: [container('first', 7)],
    conditions: [{ type: 'DisruptionTarget', status: 'True' }],
  },
});

const exits = (operator: string, values: number[], containerName?: string) => ({
  onExitCodes: { operator, values, ...(containerName && { containerName }) },
});

test.each<[string, Omit<PodFailurePolicyRule, 'action'>, string]>([
  ['an exit code', exits('In', [3]), 'Container main for pod home/sum failed with exit code 3'],
  [
    'one of init containers',
    exits('In', [7]),
    'Container first for pod home/sum failed with exit code 7',
  ],
  [
    'another exit code',
    exits('NotIn', [3, 1]),
    'Container first for pod home/sum failed with exit code 7',
  ],
  [
    'a condition',
    { onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
    'Pod home/sum has condition DisruptionTarget',
  ],
])('matchFailurePolicy() recognises %s', (_, rule, fact) => {
  const never = { action: 'Ignore', ...exits('In', [99]) };
  const policy = { rules: [never, { action: 'FailJob', ...rule }] };
  expect(matchFailurePolicy(policy, pod)).toEqual({
    action: 'FailJob',
    message: `${fact} matching FailJob rule at index 1`,
  });
});

test.each<[string, Omit<PodFailurePolicyRule, 'action'>]>([
  ['containers that ended well', exits('NotIn', [3, 7])],
  ['another container', exits('In', [3], 'side')],
  [
    'another status of a condition',
    { onPodConditions: [{ type: 'DisruptionTarget', status: 'False' }] },
  ],
])('matchFailurePolicy() passes over %s', (_, rule) => {
  const policy = { rules: [{ action: 'FailJob', ...rule }] };
  expect(matchFailurePolicy(policy, pod).action).toBe('Count');
});

test('matchFailurePolicy() counts failures if there is no policy', () => {
  expect(matchFailurePolicy(undefined, pod).action).toBe('Count');
});
