import { expect, test } from 'vitest';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { deniedResize } from './denied-resize.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';

const sized = (cpu: string) =>
  storedPod({ spec: { containers: [{ name: 'web', resources: { requests: { cpu } } }] } });
const local = sized('2');
const now = '2026-01-01T00:01:00Z';
const denied = {
  ...storedShadowPod(forgeShadowPod(local, romeToMilan)),
  status: { phase: 'Running' as const, reason: 'FailedUpdatePod', message: 'quota exceeded' },
};

test('deniedResize() is pending and infeasible, with the message of the provider', () => {
  const condition = deniedResize({ local, remotePod: sized('1'), shadowPod: denied, now });
  expect(condition).toEqual({
    type: 'PodResizePending',
    status: 'True',
    reason: 'Infeasible',
    message: 'quota exceeded',
    lastTransitionTime: now,
  });
  const conditions = condition ? [condition] : [];
  const later = { ...local, status: { conditions } };
  const again = { local: later, remotePod: sized('1'), shadowPod: denied, now: 'later' };
  expect(deniedResize(again)).toEqual(condition);
});

test.each([
  ['something else was denied', sized('2'), denied],
  ['nothing was denied', sized('1'), { ...denied, status: { phase: 'Running' as const } }],
  ['there is no ShadowPod', sized('1'), undefined],
])('deniedResize() is undefined when %s', (_, remotePod, shadowPod) => {
  expect(deniedResize({ local, remotePod, shadowPod, now })).toBeUndefined();
});
