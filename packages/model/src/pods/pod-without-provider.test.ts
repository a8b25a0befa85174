import { expect, test } from 'vitest';
import { containerStatus } from '../testing/container-status.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { unmappedPodStatus, waitingPodStatus } from './pod-without-provider.ts';

const now = '2026-01-01T00:10:00Z';

test('unmappedPodStatus() lets a pod wait that has not started, and says so once', () => {
  const pod = storedPod({ status: { phase: 'Pending' } });
  const status = unmappedPodStatus(pod, now);
  expect(status).toEqual({
    phase: 'Pending',
    reason: 'OffloadingBackOff',
    message: 'The namespace "shop" is not offloaded to the provider',
  });
  expect(unmappedPodStatus(storedPod({ status }), now)).toBeUndefined();
});

const waiting = containerStatus({
  ready: false,
  started: false,
  state: { waiting: { reason: 'ImagePullBackOff' } },
});

test('unmappedPodStatus() lets a pod wait anew whose containers have never started', () => {
  const scheduled = { type: 'PodScheduled', status: 'True' as const, lastTransitionTime: now };
  const initialized = { ...scheduled, type: 'Initialized' };
  const pod = storedPod({
    status: {
      phase: 'Pending',
      qosClass: 'BestEffort',
      startTime: now,
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      conditions: [scheduled, initialized],
      containerStatuses: [waiting],
    },
  });
  const status = unmappedPodStatus(pod, now);
  expect(status).toEqual({
    phase: 'Pending',
    qosClass: 'BestEffort',
    reason: 'OffloadingBackOff',
    message: 'The namespace "shop" is not offloaded to the provider',
    conditions: [scheduled],
  });
  expect(unmappedPodStatus(storedPod({ status }), now)).toBeUndefined();
});

test.each([
  ['runs', { phase: 'Running' as const, containerStatuses: [containerStatus()] }],
  [
    'runs with a sidecar',
    {
      phase: 'Running' as const,
      containerStatuses: [containerStatus()],
      initContainerStatuses: [containerStatus({ name: 'side' })],
    },
  ],
  [
    'was initializing',
    {
      phase: 'Pending' as const,
      initContainerStatuses: [containerStatus({ name: 'init' })],
      containerStatuses: [waiting],
    },
  ],
  [
    'has run and waits for its next start',
    {
      phase: 'Pending' as const,
      containerStatuses: [{ ...waiting, restartCount: 1 }],
    },
  ],
])('unmappedPodStatus() fails a pod that %s, as a target of a disruption', (_, status) => {
  const next = unmappedPodStatus(storedPod({ status }), now);
  expect(next).toMatchObject({
    phase: 'Failed',
    reason: 'OffloadingAborted',
    message: expect.stringContaining('"shop"'),
    containerStatuses: [{ ready: false, state: { terminated: { exitCode: 1 } } }],
  });
  expect(next?.conditions).toContainEqual({
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'OffloadingAborted',
    message: next?.message,
    lastTransitionTime: now,
  });
  const all = [...(next?.initContainerStatuses ?? []), ...(next?.containerStatuses ?? [])];
  expect(all.filter(({ state }) => !state?.terminated)).toEqual([]);
});

test.each([
  ['has succeeded', storedPod({ status: { phase: 'Succeeded' } })],
  ['has failed', storedPod({ status: { phase: 'Failed' } })],
  [
    'is being deleted',
    storedPod({ metadata: { deletionTimestamp: now }, status: { phase: 'Running' } }),
  ],
])('unmappedPodStatus() leaves a pod alone that %s', (_, pod) => {
  expect(unmappedPodStatus(pod, now)).toBeUndefined();
});

test('waitingPodStatus() says nothing over a pod that runs', () => {
  const pod = storedPod({ status: { phase: 'Running' } });
  const problem = { reason: 'UnsupportedField', message: 'no' };
  expect(waitingPodStatus(pod, problem, now)).toBeUndefined();
});

test('waitingPodStatus() gives the problem as reason and as condition, once', () => {
  const problem = { reason: 'ShadowPodDenied', message: 'exceeded quota' };
  const pod = storedPod({ status: { phase: 'Pending' } });
  const status = waitingPodStatus(pod, problem, now);
  expect(status).toEqual({
    phase: 'Pending',
    ...problem,
    conditions: [
      {
        type: 'offloading.liqo.io/Accepted',
        status: 'False',
        ...problem,
        lastTransitionTime: now,
      },
    ],
  });
  const later = '2026-01-01T00:20:00Z';
  expect(
    waitingPodStatus(storedPod({ ...(status && { status }) }), problem, later),
  ).toBeUndefined();
});
