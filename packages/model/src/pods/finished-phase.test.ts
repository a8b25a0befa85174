import type { Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { storedPod } from '../testing/stored-pod.ts';
import { finishedPhase } from './finished-phase.ts';

type RestartPolicy = 'Always' | 'Never' | 'OnFailure';

function pod(restartPolicy: RestartPolicy, status: NonNullable<Pod['status']>): Pod {
  return storedPod({ spec: { restartPolicy }, status });
}

/** Asked for at 12:00:00, with half a minute of grace. */
function deleted(one: Pod): Pod {
  const deletionTimestamp = '2026-01-01T12:00:30Z';
  return {
    ...one,
    metadata: { ...one.metadata, deletionTimestamp, deletionGracePeriodSeconds: 30 },
  };
}

function ended(phase: 'Failed' | 'Succeeded', finishedAt: string) {
  const exitCode = phase === 'Failed' ? 143 : 0;
  const state = { terminated: { exitCode, finishedAt } };
  return {
    phase,
    containerStatuses: [
      { name: 'web', image: '', imageID: '', ready: false, restartCount: 0, state },
    ],
  };
}

const before = '2026-01-01T11:59:00Z';
const after = '2026-01-01T12:00:10Z';

test.each(['Pending', 'Running', 'Unknown', undefined])(
  'finishedPhase() of a pod that is %s is none',
  (phase) => {
    expect(finishedPhase(pod('Never', phase ? { phase } : {}))).toBeUndefined();
  },
);

test.each(['Failed', 'Succeeded'] as const)('finishedPhase() of a pod that %s is that', (phase) => {
  expect(finishedPhase(pod('Always', { phase }))).toBe(phase);
});

test.each([
  ['a server that was stopped', 'Always', ended('Succeeded', after)],
  ['a server that was killed', 'Always', ended('Failed', after)],
  ['a task that was killed', 'Never', ended('Failed', after)],
  ['a task that was waiting to be tried again', 'OnFailure', ended('Failed', before)],
  ['a pod of which nothing is known', 'Never', { phase: 'Failed' }],
] as const)('finishedPhase() of %s by deleting its pod is none', (_, policy, status) => {
  expect(finishedPhase(deleted(pod(policy, status as Pod['status'] & object)))).toBeUndefined();
});

test.each([
  ['a task that had failed before', 'Never', ended('Failed', before), 'Failed'],
  ['a task that came to its end in time', 'Never', ended('Succeeded', after), 'Succeeded'],
  ['a task that had succeeded', 'OnFailure', ended('Succeeded', before), 'Succeeded'],
  ['an evicted pod', 'Always', { phase: 'Failed', reason: 'Evicted' }, 'Failed'],
] as const)('finishedPhase() of %s outlives its deletion', (_, policy, status, phase) => {
  expect(finishedPhase(deleted(pod(policy, status as Pod['status'] & object)))).toBe(phase);
});

test('finishedPhase() of a pod whose node is gone is none', () => {
  const conditions = [
    { type: 'DisruptionTarget', status: 'True' as const, reason: 'DeletionByPodGC' },
  ];
  expect(finishedPhase(pod('Never', { phase: 'Failed', conditions }))).toBeUndefined();
});
