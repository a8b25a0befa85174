import type { Quota } from '@liqo/api';
import { formatQuantity, parseQuantity, type Quantity } from '@liqo/kube';
import type { PodSpec } from '../pods/pod-spec.ts';
import { type Amounts, addAmounts, namesAbove, readAmounts } from './amounts.ts';
import { missingLimits } from './limits-enforcement.ts';

/** Why a pod is not created, or not enlarged, under a quota. */
export interface QuotaRefusal {
  readonly reason: QuotaReason;
  readonly message: string;
}

type QuotaReason =
  | 'InvalidResources'
  | 'NoQuota'
  | 'QuotaCordoned'
  | 'QuotaExceeded'
  | 'RequestsRequired';

/** What a quota grants, under the name that people know it by. */
export interface Limit {
  /** For messages: `slice mypool`. */
  readonly name: string;
  readonly spec: Omit<Quota['spec'], 'user'>;
}

export interface Demand {
  readonly spec: PodSpec;
  readonly wanted: Amounts;
  /** What the pod takes already, if it exists: that much it keeps in any case. */
  readonly present: Amounts;
  /** A cordon keeps new pods out. It does not end those that run, nor keeps them from being created again. */
  readonly isNew: boolean;
}

/** Undefined if the demand fits beside what all other pods use. */
export function judgeDemand(limit: Limit, used: Amounts, demand: Demand): QuotaRefusal | undefined {
  const { name, spec } = limit;
  const grown = namesAbove(demand.wanted, demand.present);
  if (grown.length === 0) return undefined;
  if (spec.cordoned && demand.isNew) {
    return { reason: 'QuotaCordoned', message: `${name}: cordoned by the provider` };
  }
  const lacking = missingLimits(demand.spec, spec.limitsEnforcement ?? 'None');
  if (lacking) {
    const message = `${name}: limits are enforced (${spec.limitsEnforcement}), and ${lacking}`;
    return { reason: 'RequestsRequired', message };
  }
  return findExcess(limit, used, demand, grown);
}

/** A quota that says nothing of `pods` does not limit them. Of any other resource that it does not name there is none. */
function findExcess(
  { name, spec }: Limit,
  used: Amounts,
  { wanted }: Demand,
  grown: readonly string[],
): QuotaRefusal | undefined {
  const granted = readAmounts(spec.resources);
  const isLimited = (resource: string) =>
    resource !== 'pods' || Object.hasOwn(spec.resources, resource);
  const needed = addAmounts(used, wanted);
  const excess = namesAbove(needed, granted).filter(
    (resource) => grown.includes(resource) && isLimited(resource),
  );
  if (excess.length === 0) return undefined;
  const facts = excess.map((resource) => describeExcess(resource, { granted, used, wanted }));
  return { reason: 'QuotaExceeded', message: `${name}: ${facts.join(', ')}` };
}

interface Sides {
  readonly granted: Amounts;
  readonly used: Amounts;
  readonly wanted: Amounts;
}

function describeExcess(resource: string, { granted, used, wanted }: Sides): string {
  const grant = granted.get(resource);
  const [inUse, requested] = [used, wanted].map((side) => text(side.get(resource)));
  if (!grant) return `it has no ${resource} (${requested} requested)`;
  return `${resource} ${inUse} of ${text(grant)} in use (${requested} requested)`;
}

function text(quantity: Quantity | undefined): string {
  return formatQuantity(quantity ?? parseQuantity('0'));
}
