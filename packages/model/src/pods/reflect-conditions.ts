import { findCondition, type Pod, setCondition } from '@liqo/kube';
import type { PodCondition } from './pod-status.ts';

export interface ConditionFacts {
  readonly local: Pod;
  readonly before: readonly PodCondition[];
  readonly remote: readonly PodCondition[];
  readonly isFinished: boolean;
  /** Of the pod at the consumer; undefined where its conditions carry none. */
  readonly observedGeneration: number | undefined;
  readonly now: string;
}

/**
 * The conditions at the consumer. Those that the kubelet sets come from the provider. Those that controllers of the
 * consumer set stay, whatever the provider says: the qualified ones, readiness gates, and that the pod is a target of
 * disruption, unless it is just this that ended it at the provider.
 */
export function reflectConditions(facts: ConditionFacts): PodCondition[] {
  const gates = gatesOf(facts.local);
  const isOurs = ({ type }: PodCondition) =>
    type.includes('/') || type === 'DisruptionTarget' || gates.includes(type);
  const taken = facts.remote
    .filter((one) => !isOurs(one) || (facts.isFinished && one.type === 'DisruptionTarget'))
    .map((one) => withGeneration(one, facts.observedGeneration));
  const types = new Set(taken.map(({ type }) => type));
  const kept = facts.before.filter((one) => isOurs(one) && !types.has(one.type));
  return judgeGates([...taken, ...kept], facts, gates);
}

function gatesOf({ spec }: Pod): string[] {
  return spec?.readinessGates?.map(({ conditionType }) => conditionType) ?? [];
}

function withGeneration(
  { observedGeneration, ...condition }: PodCondition,
  ofConsumer: number | undefined,
): PodCondition {
  const isCarried = observedGeneration !== undefined && ofConsumer !== undefined;
  return isCarried ? { ...condition, observedGeneration: ofConsumer } : condition;
}

/** Readiness gates are not sent to the provider, so that its word for Ready needs ours as well. */
function judgeGates(
  conditions: PodCondition[],
  { before, now }: ConditionFacts,
  gates: readonly string[],
): PodCondition[] {
  const ready = findCondition(conditions, 'Ready');
  if (gates.length === 0 || !ready) return conditions;
  const faults = gates.flatMap((gate) => gateFault(gate, conditions));
  const judged = faults.length > 0 && ready.status === 'True' ? notReady(ready, faults) : ready;
  const old = findCondition(before, 'Ready');
  const { lastTransitionTime: _, ...rest } = judged;
  const [timed = judged] = setCondition(old ? [old] : [], rest, now);
  return conditions.map((condition) => (condition === ready ? timed : condition));
}

function notReady(ready: PodCondition, faults: readonly string[]): PodCondition {
  const message = `Not ready for: ${faults.join(', ')}`;
  return { ...ready, status: 'False', reason: 'ReadinessGatesNotReady', message };
}

function gateFault(gate: string, conditions: readonly PodCondition[]): string[] {
  const status = findCondition(conditions, gate)?.status;
  return status === 'True' ? [] : [`"${gate}" is ${status ?? 'not set'}`];
}
