import type { PodStatus } from 'kubernetes-types/core/v1.d.ts';
import { expect, test } from 'vitest';
import {
  findCondition,
  isConditionTrue,
  removeCondition,
  type StatusCondition,
  setCondition,
} from './conditions.ts';

const then = '2026-01-01T00:00:00Z';
const now = '2026-01-02T00:00:00Z';

const ready = {
  type: 'Ready',
  status: 'False',
  reason: 'Waiting',
  message: 'Waiting for the provider',
  observedGeneration: 1,
  lastTransitionTime: then,
};
const synced = { type: 'Synced', status: 'True', lastTransitionTime: then };
const conditions: readonly StatusCondition[] = [ready, synced];

test('findCondition() finds by type, and nothing in nothing', () => {
  expect(findCondition(conditions, 'Synced')).toBe(synced);
  expect(findCondition(conditions, 'Other')).toBeUndefined();
  expect(findCondition(undefined, 'Ready')).toBeUndefined();
});

test('isConditionTrue() is true for the status "True" only', () => {
  expect(isConditionTrue(conditions, 'Synced')).toBe(true);
  expect(isConditionTrue(conditions, 'Ready')).toBe(false);
  expect(isConditionTrue(conditions, 'Other')).toBe(false);
  expect(isConditionTrue(undefined, 'Ready')).toBe(false);
});

test('setCondition() appends a new condition with the present time', () => {
  const added = { type: 'Quota', status: 'True' };
  expect(setCondition(conditions, added, now)).toEqual([
    ready,
    synced,
    { ...added, lastTransitionTime: now },
  ]);
  expect(setCondition(undefined, added, now)).toEqual([{ ...added, lastTransitionTime: now }]);
});

test('setCondition() takes the time that a new condition brings', () => {
  const added = { type: 'Quota', status: 'True', lastTransitionTime: then };
  expect(setCondition(undefined, added, now)).toEqual([added]);
});

test('setCondition() moves the time when the status changes, in place', () => {
  const next = { type: 'Ready', status: 'True', reason: 'Ready', message: '' };
  expect(setCondition(conditions, next, now)).toEqual([
    { ...next, lastTransitionTime: now },
    synced,
  ]);
});

test('setCondition() keeps the time when only the words change', () => {
  const next = { ...ready, reason: 'Refused', lastTransitionTime: now };
  expect(setCondition(conditions, next, now)).toEqual([
    { ...ready, reason: 'Refused', lastTransitionTime: then },
    synced,
  ]);
});

test('setCondition() replaces the observed generation, and drops it with the condition that has none', () => {
  const seen = setCondition(conditions, { ...ready, observedGeneration: 2 }, now);
  expect(seen[0]).toEqual({ ...ready, observedGeneration: 2 });
  const { observedGeneration, ...unseen } = ready;
  expect(setCondition(conditions, unseen, now)[0]).toEqual(unseen);
});

test('setCondition() returns the same list when nothing changes but the time', () => {
  const { lastTransitionTime, ...same } = ready;
  expect(setCondition(conditions, same, now)).toBe(conditions);
  expect(setCondition(conditions, { ...ready, lastTransitionTime: now }, now)).toBe(conditions);
});

test('setCondition() keeps fields that only the old condition has', () => {
  const old = { type: 'Ready', status: 'True', lastProbeTime: then, lastTransitionTime: then };
  const pod: PodStatus = { conditions: [old] };
  expect(setCondition(pod.conditions, { type: 'Ready', status: 'True' }, now)).toBe(pod.conditions);
  pod.conditions = setCondition(pod.conditions, { type: 'Ready', status: 'False' }, now);
  expect(pod.conditions).toEqual([{ ...old, status: 'False', lastTransitionTime: now }]);
});

test('setCondition() gives a time to a condition that has lost it', () => {
  const timeless: StatusCondition[] = [{ type: 'Ready', status: 'True' }];
  expect(setCondition(timeless, { type: 'Ready', status: 'True' }, now)).toEqual([
    { type: 'Ready', status: 'True', lastTransitionTime: now },
  ]);
});

test('setCondition() takes statuses and fields of other kinds of condition', () => {
  interface PeeringCondition extends StatusCondition {
    readonly type: 'Network' | 'Offloading';
    readonly status: 'Established' | 'Pending';
  }
  const list: PeeringCondition[] = setCondition<PeeringCondition>(
    undefined,
    { type: 'Network', status: 'Established' },
    now,
  );
  expect(list).toEqual([{ type: 'Network', status: 'Established', lastTransitionTime: now }]);
});

test('setCondition() and removeCondition() leave the list they are given alone', () => {
  const before = JSON.stringify(conditions);
  setCondition(conditions, { type: 'Ready', status: 'True' }, now);
  removeCondition(conditions, 'Ready');
  expect(JSON.stringify(conditions)).toBe(before);
});

test('removeCondition() removes by type, and returns the same list if there is none', () => {
  expect(removeCondition(conditions, 'Ready')).toEqual([synced]);
  expect(removeCondition(conditions, 'Other')).toBe(conditions);
});
