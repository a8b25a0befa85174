import type { Deployment, ReplicaSet, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { isScalingEvent, planCleanup, planRolling, planScaling } from './plan-rollout.ts';

interface Sizes {
  readonly size: number;
  readonly available?: number;
  readonly desired?: number;
  readonly max?: number;
  readonly revision?: number;
}

function replicaSet(name: string, sizes: Sizes): Stored<ReplicaSet> {
  const { size, available = size, desired = size, max = size, revision = 1 } = sizes;
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': String(desired),
    'deployment.kubernetes.io/max-replicas': String(max),
    'deployment.kubernetes.io/revision': String(revision),
  };
  return stored<ReplicaSet>('ReplicaSet', {
    metadata: { name, annotations, generation: 1 },
    spec: { replicas: size, selector: {} },
    status: { replicas: size, availableReplicas: available, observedGeneration: 1 },
  });
}

function deployment(replicas: number, rollingUpdate: object, others: object = {}): Deployment {
  const strategy = { type: 'RollingUpdate', rollingUpdate };
  return { spec: { replicas, strategy, selector: {}, template: {}, ...others } };
}

const sizesOf = (plan: readonly { replicaSet: Stored<ReplicaSet>; replicas: number }[]) =>
  Object.fromEntries(plan.map((one) => [one.replicaSet.metadata.name, one.replicas]));

test.each([
  ['grows the new one as far as the surge', { size: 0 }, { size: 4 }, { new: 1 }],
  [
    'then shrinks the old as far as availability',
    { size: 1, available: 0 },
    { size: 4 },
    { old: 3 },
  ],
  ['waits while nothing may go', { size: 2, available: 0 }, { size: 3 }, {}],
  ['goes on when the new ones are available', { size: 2 }, { size: 3 }, { old: 1 }],
  [
    'takes broken old replicas first',
    { size: 1, available: 0 },
    { size: 4, available: 1 },
    { old: 3 },
  ],
  ['shrinks a new one that is too large', { size: 6 }, { size: 0 }, { new: 4 }],
])('planRolling() %s', (_, current, old, expected) => {
  const wanted = deployment(4, { maxSurge: 1, maxUnavailable: 1 });
  const plan = planRolling(wanted, replicaSet('new', current), [replicaSet('old', old)]);
  expect(sizesOf(plan)).toEqual(expected);
});

test('planScaling() spreads a new size in proportion, and the rest goes to the largest', () => {
  const history = {
    current: replicaSet('new', { size: 5, desired: 10, max: 13 }),
    old: [replicaSet('old', { size: 8, desired: 10, max: 13 })],
  };
  const wanted = deployment(15, { maxSurge: 3, maxUnavailable: 2 });
  expect(isScalingEvent(wanted, history)).toBe(true);
  expect(sizesOf(planScaling(wanted, history))).toEqual({ new: 7, old: 11 });
});

test('planScaling() resizes the only one there is', () => {
  const history = {
    current: replicaSet('new', { size: 2 }),
    old: [replicaSet('old', { size: 0 })],
  };
  expect(sizesOf(planScaling(deployment(5, {}), history))).toEqual({ new: 5 });
});

test('planCleanup() removes the oldest idle revisions beyond the limit', () => {
  const old = [3, 1, 2].map((revision) => replicaSet(`r${revision}`, { size: 0, revision }));
  const busy = replicaSet('r0', { size: 1, revision: 0 });
  const wanted = deployment(1, {}, { revisionHistoryLimit: 1 });
  const names = planCleanup(wanted, [...old, busy]).map(({ metadata }) => metadata.name);
  expect(names).toEqual(['r1', 'r2']);
});
