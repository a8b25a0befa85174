import { finalizers } from '@liqo/api';
import { parseTime } from '@liqo/kube';
import { expect, test } from 'vitest';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { storedShadowPod } from '../testing/stored-shadow-pod.ts';
import { forgeShadowPod } from './forge-shadow-pod.ts';
import { holdOverdueInMs } from './overdue-hold.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';
const deletedMs = parseTime(deletionTimestamp);
const shadowPod = storedShadowPod(forgeShadowPod(storedPod(), romeToMilan));
const held = { finalizers: [finalizers.shadowPod] };
const going = { ...shadowPod, metadata: { ...shadowPod.metadata, ...held, deletionTimestamp } };
const pod = storedPod();

test.each([
  ['at once', 0, 30_000],
  ['after a while', 20_000, 10_000],
  ['in time', 30_000, 0],
  ['later', 300_000, 0],
])('holdOverdueInMs() is 30 s after the deletion: %s', (_, afterMs, expected) => {
  expect(holdOverdueInMs(going, pod, deletedMs + afterMs)).toBe(expected);
  expect(holdOverdueInMs(going, undefined, deletedMs + afterMs)).toBe(expected);
});

test('holdOverdueInMs() is never for a pod that is ending', () => {
  const ending = storedPod({ metadata: { deletionTimestamp } });
  expect(holdOverdueInMs(going, ending, deletedMs + 300_000)).toBeUndefined();
});

test('holdOverdueInMs() is never for a ShadowPod that is wanted, or held by others only', () => {
  const wanted = { ...shadowPod, metadata: { ...shadowPod.metadata, ...held } };
  expect(holdOverdueInMs(wanted, pod, deletedMs + 300_000)).toBeUndefined();
  const others = { ...going, metadata: { ...going.metadata, finalizers: ['foregroundDeletion'] } };
  expect(holdOverdueInMs(others, pod, deletedMs + 300_000)).toBeUndefined();
});
