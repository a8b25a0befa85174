import type { Quota } from '@liqo/api';
import { addResources, type ResourceList } from '@liqo/kube';
import type { Limit } from './judge-demand.ts';

type QuotaSpec = Quota['spec'];

/** The quotas that take new pods; all of them if none does. */
export function openQuotas<T extends Pick<Quota, 'spec'>>(quotas: readonly T[]): readonly T[] {
  const open = quotas.filter(({ spec }) => !spec.cordoned);
  return open.length > 0 ? open : quotas;
}

/**
 * Several quotas of a consumer as one, for pods of which it is not known which quota they belong to. The strictest
 * enforcement counts.
 */
export function sumOfQuotas(specs: readonly QuotaSpec[]): Limit['spec'] {
  const resources = specs
    .map((spec): ResourceList => spec.resources)
    .reduce<Record<string, string>>(addResources, {});
  return {
    resources: limitsPods(specs) ? resources : withoutPods(resources),
    limitsEnforcement: strictest(specs),
    cordoned: specs.every(({ cordoned }) => cordoned),
  };
}

function strictest(specs: readonly QuotaSpec[]): 'Hard' | 'None' | 'Soft' {
  const strictness = ['Hard', 'Soft', 'None'] as const;
  return strictness.find((one) => specs.some((spec) => spec.limitsEnforcement === one)) ?? 'None';
}

function limitsPods(specs: readonly QuotaSpec[]): boolean {
  return specs.every(({ resources }) => Object.hasOwn(resources, 'pods'));
}

function withoutPods({ pods: _, ...resources }: Record<string, string>): Record<string, string> {
  return resources;
}
