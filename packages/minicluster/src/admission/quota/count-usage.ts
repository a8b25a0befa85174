import { addResources, type KubeObject, type ResourceList, type ResourceQuota } from '@liqo/kube';
import { scopesOf } from './charge-quotas.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

/** All objects of one resource in the namespace of a quota. */
export interface Counted {
  readonly evaluator: QuotaEvaluator;
  readonly objects: readonly KubeObject[];
}

/** What is used of everything that the quota limits. What nobody counts keeps the value it has. */
export function countUsage(
  quota: ResourceQuota,
  counted: readonly Counted[],
  nowMs: number,
): ResourceList {
  const names = Object.keys(quota.spec?.hard ?? {}).sort();
  const used = names.map((name) => {
    const lists = counted.filter(({ evaluator }) => evaluator.measures(name));
    if (lists.length === 0) return [name, quota.status?.used?.[name]] as const;
    return [name, total(quota, lists, name, nowMs)] as const;
  });
  return Object.fromEntries(used.filter(([, amount]) => amount !== undefined)) as ResourceList;
}

function total(
  quota: ResourceQuota,
  counted: readonly Counted[],
  name: string,
  nowMs: number,
): string {
  const scopes = scopesOf(quota);
  let sum: ResourceList = { [name]: '0' };
  for (const { evaluator, objects } of counted) {
    for (const object of objects) {
      if (!scopes.every((scope) => evaluator.isInScope(object, scope))) continue;
      const amount = evaluator.usageOf(object, nowMs)[name];
      if (amount !== undefined) sum = addResources(sum, { [name]: amount });
    }
  }
  return String(sum[name]);
}
