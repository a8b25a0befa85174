import { deepEqual } from './json.ts';

/**
 * A condition in the `status` of an object. The kinds of Kubernetes have `True`, `False` and `Unknown` for a status;
 * others have words of their own.
 */
export interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** A condition as it is to be. A time is needed only if its status changed at another one than now. */
export type NewCondition<C extends StatusCondition> = Omit<C, 'lastTransitionTime'> & {
  readonly lastTransitionTime?: string;
};

export function findCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: C['type'],
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(
  conditions: readonly Pick<StatusCondition, 'status' | 'type'>[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/**
 * The list with this condition in place of the one of its type, or at the end. `lastTransitionTime` stays unless the
 * status changes. Reason, message and generation are those of the new condition, also if it has none; fields that only
 * the old one has, such as the `lastProbeTime` of a pod, survive. If nothing would change but the time, the result is
 * the list itself, so `!==` tells whether there is anything to write.
 */
export function setCondition<C extends StatusCondition>(
  conditions: C[] | undefined,
  condition: NewCondition<C>,
  now: string,
): C[];
export function setCondition<C extends StatusCondition>(
  conditions: readonly C[] | undefined,
  condition: NewCondition<C>,
  now: string,
): readonly C[];
export function setCondition<C extends StatusCondition>(
  conditions: readonly C[] = [],
  condition: NewCondition<C>,
  now: string,
): readonly C[] {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const lastTransitionTime = transitionTime(old, condition, now);
  const next = { ...otherFields(old), ...condition, lastTransitionTime } as C;
  if (old === undefined) return [...conditions, next];
  return deepEqual(old, next) ? conditions : conditions.with(index, next);
}

/** The list without the condition of this type; the list itself, if it has none. */
export function removeCondition<C extends { readonly type: string }>(
  conditions: C[],
  type: C['type'],
): C[];
export function removeCondition<C extends { readonly type: string }>(
  conditions: readonly C[],
  type: C['type'],
): readonly C[];
export function removeCondition<C extends { readonly type: string }>(
  conditions: readonly C[],
  type: C['type'],
): readonly C[] {
  return findCondition(conditions, type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
}

function otherFields(condition: StatusCondition | undefined): object {
  const { reason, message, observedGeneration, ...others } = condition ?? {};
  return others;
}

function transitionTime(
  old: StatusCondition | undefined,
  next: { readonly status: string; readonly lastTransitionTime?: string },
  now: string,
): string {
  const kept = old?.status === next.status ? old.lastTransitionTime : next.lastTransitionTime;
  return kept ?? now;
}
