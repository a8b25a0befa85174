import type { PodCondition, PodStatus } from 'kubernetes-types/core/v1.d.ts';

/** Newer than the types: which version of the spec a status or condition is about (1.34). */
interface Observed {
  readonly observedGeneration?: number;
}

/** Writers that know nothing of generations do not take them away: who says none leaves the one there was. */
export function keepObservedGenerations(next: PodStatus, previous: PodStatus): PodStatus {
  const left = new Map<string, (number | undefined)[]>();
  for (const { type, observedGeneration } of (previous.conditions ?? []) as Condition[]) {
    left.set(type, [...(left.get(type) ?? []), observedGeneration]);
  }
  const conditions = (next.conditions as Condition[] | undefined)?.map((condition) =>
    kept(condition, left.get(condition.type)?.shift()),
  );
  const { observedGeneration } = previous as Observed;
  return { ...kept(next as Observed, observedGeneration), ...(conditions && { conditions }) };
}

type Condition = PodCondition & Observed;

function kept<T extends Observed>(next: T, observedGeneration: number | undefined): T {
  if (next.observedGeneration || !observedGeneration) return next;
  return { ...next, observedGeneration };
}
