import { expect, test } from 'vitest';
import { firstWordDueInMs, saysOnlyThatItBegins, spreadOver } from './first-word.ts';
import type { PodStatus } from './pod-status.ts';

const beganAt = '2026-01-01T00:00:10Z';
const beganMs = Date.parse(beganAt);

test.each([
  ['just began', 0, 10_000],
  ['began a moment ago', 1_500, 8_500],
  ['began by a clock a little ahead of ours', -500, 10_500],
  ['has waited long enough', 10_000, 0],
  ['began long ago', 3_600_000, 0],
  ['begins in an hour, as it says', -3_600_000, 0],
])('firstWordDueInMs() of a pod that %s', (_, ageMs, waitMs) => {
  expect(firstWordDueInMs(beganAt, beganMs + ageMs)).toBe(waitMs);
});

test('firstWordDueInMs() does not wait for a pod of which nobody says when it began', () => {
  expect(firstWordDueInMs(undefined, beganMs)).toBe(0);
});

test('firstWordDueInMs() waits for as long as it is told', () => {
  expect(firstWordDueInMs(beganAt, beganMs + 3_000, 5_000)).toBe(2_000);
  expect(firstWordDueInMs(beganAt, beganMs, 0)).toBe(0);
});

const container = { name: 'main', image: 'app', imageID: '', ready: false, restartCount: 0 };
const creating = { ...container, state: { waiting: { reason: 'ContainerCreating' } } };
const initializing = { ...container, state: { waiting: { reason: 'PodInitializing' } } };
const failing = { ...container, state: { waiting: { reason: 'ErrImagePull' } } };
const running = { ...container, state: { running: {} } };

test.each<[string, PodStatus]>([
  ['nothing about its containers', { phase: 'Pending' }],
  ['that they are created', { phase: 'Pending', containerStatuses: [creating] }],
  [
    'that it is prepared',
    {
      phase: 'Pending',
      initContainerStatuses: [creating],
      containerStatuses: [initializing],
    },
  ],
])('saysOnlyThatItBegins() of a pod that says %s', (_, status) => {
  expect(saysOnlyThatItBegins(status)).toBe(true);
});

test.each<[string, PodStatus]>([
  ['that it runs', { phase: 'Running', containerStatuses: [creating] }],
  ['where it is', { phase: 'Pending', podIP: '10.0.0.7' }],
  ['that its image is missing', { phase: 'Pending', containerStatuses: [failing] }],
  [
    'that it has begun its preparations',
    {
      phase: 'Pending',
      initContainerStatuses: [running],
      containerStatuses: [initializing],
    },
  ],
])('saysOnlyThatItBegins() not of a pod that says %s', (_, status) => {
  expect(saysOnlyThatItBegins(status)).toBe(false);
});

test('spreadOver() lets nothing happen earlier, nor all of it at once', () => {
  expect(spreadOver(1_000, 500, () => 0)).toBe(500);
  expect(spreadOver(1_000, 500, () => 0.75)).toBe(1_250);
  expect(spreadOver(1_000, 0, () => 0.75)).toBe(0);
});
