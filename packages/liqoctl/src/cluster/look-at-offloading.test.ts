import type { NamespaceOffloading, OffloadingPhase } from '@liqo/api';
import { expect, test } from 'vitest';
import { judgeOffloading } from './look-at-offloading.ts';

function offloadingIn(offloadingPhase: OffloadingPhase, generation = 1): NamespaceOffloading {
  const reason = offloadingPhase === 'InProgress' ? 'Creating' : 'CreationLoopBackOff';
  const ready = { type: 'Ready' as const, status: 'False' as const, reason, message: 'no room' };
  return {
    metadata: { generation },
    spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
    status: {
      offloadingPhase,
      observedGeneration: 1,
      remoteNamespacesConditions: { milan: [ready] },
    },
  };
}

const judge = (offloading: NamespaceOffloading) => judgeOffloading('shop', offloading, 'end it');

test('judgeOffloading() is done when the providers have it, or when none is selected', () => {
  expect(judge(offloadingIn('Ready'))).toEqual({ done: 1 });
  expect(judge(offloadingIn('NoClusterSelected'))).toEqual({ done: 0 });
});

test('judgeOffloading() waits, and says for whom', () => {
  expect(judge(offloadingIn('InProgress'))).toEqual({ notYet: 'milan: no room' });
});

test('judgeOffloading() does not believe what was said of an older wish', () => {
  expect(judge(offloadingIn('Ready', 2))).toEqual({
    notYet: expect.stringContaining('not looked'),
  });
});

test.each(['SomeFailed', 'AllFailed'] as const)('judgeOffloading() gives up when %s', (phase) => {
  const message = 'Cannot offload the namespace "shop": milan: no room';
  expect(() => judge(offloadingIn(phase))).toThrow(message);
});

test('judgeOffloading() blames no provider that is still creating the namespace', () => {
  const failed = offloadingIn('SomeFailed');
  const creating = { type: 'Ready', status: 'False', reason: 'Creating', message: 'wait' } as const;
  const conditions = { ...failed.status?.remoteNamespacesConditions, turin: [creating] };
  const status = { ...failed.status, remoteNamespacesConditions: conditions };
  const message = /^Cannot offload the namespace "shop": milan: no room$/;
  expect(() => judge({ ...failed, status })).toThrow(message);
});
