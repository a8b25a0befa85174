import type { ShadowPod } from '@liqo/api';
import { formatTime, type Pod, parseTime, type Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { defaultPodPolicy } from '../pod-policy/pod-policy.ts';
import { forgeShadowPod } from '../pods/forge-shadow-pod.ts';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { forgePod } from './forge-pod.ts';
import { defaultPhaseDelays, phaseWait } from './phase-delay.ts';

const createdAt = '2026-01-01T00:00:00Z';
const createdMs = parseTime(createdAt);
const shadowPod = storedShadowPod(forgeShadowPod(storedPod(), romeToMilan));

type Status = NonNullable<Pod['status']>;

function withStatus(status: Status): Stored<Pod> {
  const made = forgePod(shadowPod, shadowPod.spec.pod ?? { containers: [] }, defaultPodPolicy);
  return storedPod({ ...made, status });
}

function startedAfter(...seconds: number[]): Stored<Pod> {
  const containerStatuses = seconds.map((after, i) => ({
    name: `c${i}`,
    image: 'i',
    imageID: '',
    ready: true,
    restartCount: 0,
    state: { running: { startedAt: formatTime(createdMs + 1_000 * after) } },
  }));
  return withStatus({ phase: 'Running', containerStatuses });
}

function dueAt(
  pod: Stored<Pod> | undefined,
  ageMs: number,
  { isBurst = false, status = undefined as ShadowPod['status'] } = {},
): number {
  const one = { ...shadowPod, ...(status && { status }) };
  return phaseWait(one, pod, { delays: defaultPhaseDelays, isBurst, nowMs: createdMs + ageMs })
    .dueInMs;
}

test('phaseWait() delays Running by a second from the start of the container', () => {
  expect(dueAt(startedAfter(60), 60_200)).toBe(800);
  expect(dueAt(startedAfter(60), 61_000)).toBe(0);
});

test('phaseWait() counts from the first container that started', () => {
  expect(dueAt(startedAfter(60, 10, 62), 62_000)).toBe(0);
});

test('phaseWait() delays Running longer in a burst', () => {
  expect(dueAt(startedAfter(60), 61_000, { isBurst: true })).toBe(4_000);
  expect(dueAt(startedAfter(60), 65_000, { isBurst: true })).toBe(0);
});

test('phaseWait() counts from the creation of a pod that does not say when it started', () => {
  expect(dueAt(withStatus({ phase: 'Running' }), 400)).toBe(600);
});

test('phaseWait() delays Pending, so that most pods are reported once', () => {
  const pending = withStatus({ phase: 'Pending' });
  expect(dueAt(pending, 4_000)).toBe(11_000);
  expect(dueAt(pending, 15_000)).toBe(0);
  expect(dueAt(pending, 15_000, { isBurst: true })).toBe(75_000);
});

test('phaseWait() delays the Pending of a re-created pod as well', () => {
  const pending = withStatus({ phase: 'Pending' });
  expect(dueAt(pending, 4_000, { status: { phase: 'Running' } })).toBe(11_000);
});

test.each(['Succeeded', 'Failed', 'Unknown'] as const)('phaseWait() never delays %s', (phase) => {
  expect(dueAt(withStatus({ phase }), 100, { isBurst: true })).toBe(0);
});

test.each([
  ['there is no pod', undefined, undefined],
  ['the phase is known', startedAfter(0), { phase: 'Running' as const }],
  ['the phase replaces a reason', startedAfter(0), { phase: 'Unknown' as const, reason: 'X' }],
])('phaseWait() delays nothing when %s', (_, pod, status) => {
  expect(dueAt(pod, 100, { status })).toBe(0);
});
