import type { Pod, PodDisruptionBudget } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { planBudget } from './plan-budget.ts';

const nowMs = Date.UTC(2030, 0, 2);
const healthy = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    stored<Pod>('Pod', {
      metadata: { name: `pod-${index}` },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    }),
  );

test.each([
  ['a number that must be available', { minAvailable: 2 }, [3, 2, 1]],
  ['a share that must be available', { minAvailable: '50%' }, [5, 3, 0]],
  ['a number that may be missing', { maxUnavailable: 3 }, [5, 2, 1]],
  ['a share that may be missing', { maxUnavailable: '50%' }, [5, 2, 1]],
])('planBudget() understands %s', (_, spec, expected) => {
  const budget = stored<PodDisruptionBudget>('PodDisruptionBudget', { spec });
  const { status } = planBudget({ budget, pods: healthy(3), controllerScale: 5 }, nowMs);
  const { expectedPods, desiredHealthy, disruptionsAllowed } = status;
  expect([expectedPods, desiredHealthy, disruptionsAllowed]).toEqual(expected);
});

test('planBudget() counts a granted eviction for two minutes', () => {
  const budget = stored<PodDisruptionBudget>('PodDisruptionBudget', {
    spec: { minAvailable: 1 },
    status: {
      currentHealthy: 3,
      desiredHealthy: 1,
      disruptionsAllowed: 1,
      expectedPods: 3,
      disruptedPods: { 'pod-0': '2030-01-01T23:59:00Z', 'pod-1': '2030-01-01T23:57:00Z' },
    },
  });
  const plan = planBudget({ budget, pods: healthy(3), controllerScale: 3 }, nowMs);
  expect(plan.status).toMatchObject({
    currentHealthy: 2,
    disruptedPods: { 'pod-0': '2030-01-01T23:59:00Z' },
  });
  expect(plan.againMs).toBe(60_000);
});
