import { expect, test } from 'vitest';
import { denialMessage } from '../shadow-pods/denied-change.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { deniedResize } from './denied-resize.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';

const local = storedPod();
const now = '2026-01-01T00:01:00Z';
const denied = {
  ...storedShadowPod(forgeShadowPod(local, romeToMilan)),
  status: {
    phase: 'Running' as const,
    reason: 'FailedUpdatePod',
    message: denialMessage('resize', 'web', 'quota exceeded'),
  },
};

test('deniedResize() is pending and infeasible, with the message of the provider', () => {
  const condition = deniedResize({ local, shadowPod: denied, now });
  expect(condition).toEqual({
    type: 'PodResizePending',
    status: 'True',
    reason: 'Infeasible',
    message: 'Cannot resize pod "web": quota exceeded',
    lastTransitionTime: now,
  });
  const conditions = condition ? [condition] : [];
  const later = { ...local, status: { conditions } };
  const again = { local: later, shadowPod: denied, now: 'later' };
  expect(deniedResize(again)).toEqual(condition);
});

test.each([
  [
    'something else was denied',
    { ...denied, status: { ...denied.status, message: denialMessage('update', 'web', 'no') } },
  ],
  ['nothing was denied', { ...denied, status: { phase: 'Running' as const } }],
  ['there is no ShadowPod', undefined],
])('deniedResize() is undefined when %s', (_, shadowPod) => {
  expect(deniedResize({ local, shadowPod, now })).toBeUndefined();
});
