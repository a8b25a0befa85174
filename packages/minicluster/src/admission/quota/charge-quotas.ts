import {
  addResources,
  compareQuantities,
  formatQuantity,
  isZeroQuantity,
  type KubeObject,
  parseQuantity,
  type ResourceList,
  type ResourceQuota,
  type Stored,
  subtractResources,
} from '@liqo/kube';
import type { ScopedResourceSelectorRequirement } from 'kubernetes-types/core/v1.d.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

/** An object that wants to be counted. */
export interface QuotaRequest {
  readonly evaluator: QuotaEvaluator;
  readonly object: KubeObject;
  /** What it replaces, and was counted for. */
  readonly previous: KubeObject | undefined;
  readonly nowMs: number;
}

/** A quota, and what is used of it with the object. */
export interface Charge {
  readonly quota: Stored<ResourceQuota>;
  readonly used: ResourceList;
}

export type Verdict = { readonly charges: readonly Charge[] } | { readonly refusal: string };

/** Whether the object fits into all quotas, and what that makes of them. Quotas that stay as they are are left out. */
export function chargeQuotas(
  quotas: readonly Stored<ResourceQuota>[],
  request: QuotaRequest,
): Verdict {
  const concerned = quotas.filter((quota) => concerns(quota, request.evaluator, request.object));
  for (const quota of concerned) {
    const refusal = whyUncountable(quota, request);
    if (refusal) return { refusal };
  }
  const charges: Charge[] = [];
  for (const quota of concerned) {
    const delta = withoutZeros(onlyNames(growth(quota, request), hardNames(quota)));
    const used = addResources(quota.status?.used ?? {}, delta);
    const refusal = whyExceeded(quota, delta, used);
    if (refusal) return { refusal };
    if (Object.keys(delta).length > 0) charges.push({ quota, used });
  }
  return { charges };
}

/** Whether a quota limits anything about such objects, and this one is within its scopes. */
function concerns(quota: ResourceQuota, evaluator: QuotaEvaluator, object: KubeObject): boolean {
  if (!hardNames(quota).some((name) => evaluator.measures(name))) return false;
  return scopesOf(quota).every((scope) => evaluator.isInScope(object, scope));
}

export function scopesOf({ spec }: ResourceQuota): readonly ScopedResourceSelectorRequirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }));
  return [...plain, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}

function hardNames({ status }: ResourceQuota): readonly string[] {
  return Object.keys(status?.hard ?? {});
}

function whyUncountable(
  quota: Stored<ResourceQuota>,
  { evaluator, object }: QuotaRequest,
): string | undefined {
  const limited = hardNames(quota).filter((name) => evaluator.measures(name));
  const { name } = quota.metadata;
  const fault = evaluator.faultOf?.(object, limited);
  if (fault) return `failed quota: ${name}: ${fault}`;
  const { used = {} } = quota.status ?? {};
  if (limited.every((one) => Object.hasOwn(used, one))) return undefined;
  return `status unknown for quota: ${name}, resources: ${limited.toSorted().join(',')}`;
}

/** What comes on top. An object that was within the quota before is charged for the difference only. */
function growth(
  quota: ResourceQuota,
  { evaluator, object, previous, nowMs }: QuotaRequest,
): ResourceList {
  const usage = evaluator.usageOf(object, nowMs);
  if (!previous || !concerns(quota, evaluator, previous)) return usage;
  const more = subtractResources(usage, evaluator.usageOf(previous, nowMs));
  return Object.fromEntries(Object.entries(more).filter(([, amount]) => !amount.startsWith('-')));
}

function whyExceeded(
  { metadata, status }: Stored<ResourceQuota>,
  requested: ResourceList,
  used: ResourceList,
): string | undefined {
  const hard = status?.hard ?? {};
  const exceeded = Object.keys(requested).filter(
    (name) => compareQuantities(amount(used, name), amount(hard, name)) > 0,
  );
  if (exceeded.length === 0) return undefined;
  const show = (list: ResourceList) => printAmounts(list, exceeded.toSorted());
  return `exceeded quota: ${metadata.name}, requested: ${show(requested)}, used: ${show(status?.used ?? {})}, limited: ${show(hard)}`;
}

function printAmounts(list: ResourceList, names: readonly string[]): string {
  return names.map((name) => `${name}=${formatQuantity(amount(list, name))}`).join(',');
}

function amount(list: ResourceList, name: string) {
  return parseQuantity(list[name] ?? '0');
}

function onlyNames(list: ResourceList, names: readonly string[]): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([name]) => names.includes(name)));
}

function withoutZeros(list: ResourceList): ResourceList {
  const entries = Object.entries(list).filter(([, one]) => !isZeroQuantity(parseQuantity(one)));
  return Object.fromEntries(entries);
}
