import { describe, expect, test } from 'vitest';
import { storedPod } from '../testing/stored-pod.ts';
import type { PodCondition } from './pod-status.ts';
import { type ConditionFacts, reflectConditions } from './reflect-conditions.ts';

const then = '2026-01-01T00:00:00Z';
const now = '2026-01-01T00:10:00Z';

function condition(type: string, status = 'True', more: Partial<PodCondition> = {}): PodCondition {
  return { type, status, lastTransitionTime: then, ...more };
}

function reflect(facts: Partial<ConditionFacts>) {
  return reflectConditions({
    local: storedPod(),
    before: [],
    remote: [],
    isFinished: false,
    observedGeneration: undefined,
    now,
    ...facts,
  });
}

test('reflectConditions() takes those of the kubelet as they are, and lets go of them with it', () => {
  const remote = [condition('Ready'), condition('Tomorrow')];
  expect(reflect({ remote })).toEqual(remote);
  expect(reflect({ remote, before: [condition('PodResizePending')] })).toEqual(remote);
});

test('reflectConditions() keeps those that controllers of the consumer set', () => {
  const before = [condition('example.com/checked'), condition('DisruptionTarget')];
  const remote = [
    condition('Ready'),
    condition('example.com/theirs'),
    condition('DisruptionTarget', 'False'),
  ];
  expect(reflect({ before, remote })).toEqual([condition('Ready'), ...before]);
});

test('reflectConditions() takes a disruption at the provider if it ended the pod', () => {
  const remote = [condition('DisruptionTarget', 'True', { reason: 'PreemptionByScheduler' })];
  expect(reflect({ remote, isFinished: true })).toEqual(remote);
});

test('reflectConditions() speaks of generations of the consumer', () => {
  const remote = [condition('Ready', 'True', { observedGeneration: 7 }), condition('Initialized')];
  expect(reflect({ remote, observedGeneration: 2 })).toEqual([
    condition('Ready', 'True', { observedGeneration: 2 }),
    condition('Initialized'),
  ]);
  expect(reflect({ remote })[0]).toEqual(condition('Ready'));
});

describe('readiness gates', () => {
  const local = storedPod({ spec: { readinessGates: [{ conditionType: 'lb' }] } });
  const remote = [condition('Ready')];

  test.each([
    ['not set', []],
    ['False', [condition('lb', 'False')]],
  ])('reflectConditions() does not call a pod ready whose gate is %s', (word, before) => {
    const [ready] = reflect({ local, remote, before });
    expect(ready).toEqual({
      type: 'Ready',
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message: `Not ready for: "lb" is ${word}`,
      lastTransitionTime: now,
    });
  });

  test('reflectConditions() calls a pod ready when its gates are open, from then on', () => {
    const before = [condition('Ready', 'False'), condition('lb')];
    const conditions = reflect({ local, remote, before });
    expect(conditions).toEqual([
      { ...condition('Ready'), lastTransitionTime: now },
      condition('lb'),
    ]);
    const later = reflect({ local, remote, before: conditions, now: '2026-01-01T00:20:00Z' });
    expect(later).toEqual(conditions);
  });

  test('reflectConditions() does not take the word of the provider for a gate', () => {
    const [ready] = reflect({ local, remote: [...remote, condition('lb')] });
    expect(ready?.status).toBe('False');
  });

  test('reflectConditions() leaves the reason of the provider where it is not ready either', () => {
    const unready = condition('Ready', 'False', { reason: 'ContainersNotReady' });
    expect(reflect({ local, remote: [unready] })[0]?.reason).toBe('ContainersNotReady');
  });
});
