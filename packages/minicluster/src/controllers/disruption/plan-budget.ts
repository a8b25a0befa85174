import {
  formatTime,
  type Pod,
  type PodDisruptionBudget,
  parseTime,
  type Stored,
  setCondition,
} from '@liqo/kube';
import type { PodDisruptionBudgetStatus } from 'kubernetes-types/policy/v1.d.ts';
import { resolveIntOrPercent } from '../int-or-percent.ts';
import { isPodReady, isPodTerminating } from '../pod-state.ts';

/** So long an eviction that was granted counts, if the pod does not begin to end. */
const evictionTimeoutMs = 120_000;

export interface BudgetInputs {
  readonly budget: Stored<PodDisruptionBudget>;
  readonly pods: readonly Stored<Pod>[];
  /** How many replicas the controllers of the pods are asked for. */
  readonly controllerScale: number;
}

export interface BudgetPlan {
  readonly status: PodDisruptionBudgetStatus;
  /** When a granted eviction has to be looked at again, in milliseconds. */
  readonly againMs: number | undefined;
  /** Pods whose eviction was granted, and that are still not going. */
  readonly overdue: readonly Stored<Pod>[];
}

export function planBudget(inputs: BudgetInputs, nowMs: number): BudgetPlan {
  const { budget, pods } = inputs;
  const { expectedPods, desiredHealthy } = expectations(inputs);
  const disrupted = pendingEvictions(budget, pods, nowMs);
  const isHealthy = (pod: Stored<Pod>) =>
    isPodReady(pod) && !isPodTerminating(pod) && !(pod.metadata.name in disrupted);
  const currentHealthy = pods.filter(isHealthy).length;
  const spare = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const waits = Object.values(disrupted).map(
    (since) => parseTime(since) + evictionTimeoutMs - nowMs,
  );
  const status = {
    currentHealthy,
    desiredHealthy,
    disruptionsAllowed: spare,
    expectedPods,
    ...(budget.metadata.generation && { observedGeneration: budget.metadata.generation }),
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
    conditions: planConditions(budget, spare, nowMs),
  };
  const granted = budget.status?.disruptedPods ?? {};
  const overdue = pods.filter(
    (pod) =>
      pod.metadata.name in granted && !(pod.metadata.name in disrupted) && !isPodTerminating(pod),
  );
  const againMs = waits.length > 0 ? Math.max(0, Math.min(...waits)) : undefined;
  return { status, againMs, overdue };
}

function expectations({ budget, pods, controllerScale }: BudgetInputs) {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  if (maxUnavailable !== undefined) {
    const unavailable = resolveIntOrPercent(maxUnavailable, controllerScale, 'up');
    return {
      expectedPods: controllerScale,
      desiredHealthy: Math.max(0, controllerScale - unavailable),
    };
  }
  if (typeof minAvailable === 'string') {
    const desiredHealthy = resolveIntOrPercent(minAvailable, controllerScale, 'up');
    return { expectedPods: controllerScale, desiredHealthy };
  }
  return { expectedPods: pods.length, desiredHealthy: minAvailable ?? 0 };
}

/** Evictions that were granted, of pods that are still there and not on their way out yet. */
function pendingEvictions(
  budget: Stored<PodDisruptionBudget>,
  pods: readonly Stored<Pod>[],
  nowMs: number,
): Record<string, string> {
  const waiting = new Set(
    pods.filter((pod) => !isPodTerminating(pod)).map(({ metadata }) => metadata.name),
  );
  const granted = Object.entries(budget.status?.disruptedPods ?? {});
  return Object.fromEntries(
    granted.filter(
      ([name, since]) => waiting.has(name) && parseTime(since) + evictionTimeoutMs > nowMs,
    ),
  );
}

function planConditions(budget: Stored<PodDisruptionBudget>, allowed: number, nowMs: number) {
  const condition = {
    type: 'DisruptionAllowed',
    status: allowed > 0 ? 'True' : 'False',
    reason: allowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    ...(budget.metadata.generation && { observedGeneration: budget.metadata.generation }),
  };
  return setCondition(budget.status?.conditions, condition, formatTime(nowMs));
}
