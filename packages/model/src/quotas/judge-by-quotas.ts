import { type Quota, ResourceSlice } from '@liqo/api';
import { apiVersionOf, oneLine, type Pod, QuantityError, type Stored } from '@liqo/kube';
import type { PodSpec } from '../pods/pod-spec.ts';
import { type Amounts, addAmounts, noAmounts, subtractAmounts } from './amounts.ts';
import { creatorLabel } from './creator-label.ts';
import { judgeDemand, type Limit, type QuotaRefusal } from './judge-demand.ts';
import type { Charge, Ledger } from './ledger.ts';
import { podDemand } from './pod-demand.ts';
import { openQuotas, sumOfQuotas } from './sum-of-quotas.ts';

/** A pod that a consumer asks for: one that does not exist yet, or an existing one as it is to become. */
export interface Candidate {
  /** Under which the ledger charges it. */
  readonly key: string;
  /** The cluster ID of the consumer, by the label of the namespace. */
  readonly tenant: string;
  /** The label `liqo.io/creator-user`. */
  readonly creator: string | undefined;
  readonly pod: Pick<Pod, 'spec' | 'status'>;
  readonly isNew: boolean;
}

export interface QuotaFacts {
  /** All quotas of this consumer: those in its tenant namespace. */
  readonly quotas: readonly Stored<Quota>[];
  /** Whether the consumer has authenticated itself: there is a Tenant. */
  readonly isPeered: boolean;
  readonly ledger: Pick<Ledger, 'get' | 'used'>;
}

export type QuotaVerdict =
  | { readonly allowed: true; readonly charge: Charge }
  | ({ readonly allowed: false } & QuotaRefusal);

/**
 * Whether a pod fits into the quotas of its creator beside all pods that are charged. Pods without a creator (nothing labels
 * them) share what the consumer has been granted altogether. A consumer that has neither a Tenant nor a Quota was connected by
 * hand, and is not limited.
 */
export function judgeByQuotas(candidate: Candidate, facts: QuotaFacts): QuotaVerdict {
  try {
    const { tenant, creator, pod } = candidate;
    const charge = { tenant, creator, demand: podDemand(pod) };
    const refusal = findRefusal(candidate, charge, facts);
    return refusal ? refuse(refusal) : { allowed: true, charge };
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    return refuse({ reason: 'InvalidResources', message: error.message });
  }
}

function refuse({ reason, message }: QuotaRefusal): QuotaVerdict {
  return { allowed: false, reason, message: oneLine(message) };
}

function findRefusal(
  candidate: Candidate,
  charge: Charge,
  facts: QuotaFacts,
): QuotaRefusal | undefined {
  const { quotas, isPeered } = facts;
  if (quotas.length === 0 && !isPeered) return undefined;
  const { creator } = candidate;
  const own = quotas.filter(({ spec }) => creatorLabel(spec.user) === creator);
  if (own.length === 0 && (creator !== undefined || quotas.length === 0)) {
    return { reason: 'NoQuota', message: describeMissing(candidate) };
  }
  const { pod, isNew, key } = candidate;
  const spec: PodSpec = pod.spec ?? { containers: [] };
  const present = facts.ledger.get(key)?.demand ?? noAmounts;
  const demand = { spec, wanted: charge.demand, present, isNew };
  for (const { limit, used } of limitsFor(candidate, own, facts)) {
    const refusal = judgeDemand(limit, used, demand);
    if (refusal) return refusal;
  }
  return undefined;
}

function describeMissing({ creator, tenant }: Candidate): string {
  return creator === undefined
    ? `consumer "${tenant}" has no slice at this provider`
    : `"${creator}" has no slice at this provider`;
}

interface LimitInUse {
  readonly limit: Limit;
  /** By all other pods. */
  readonly used: Amounts;
}

/** The quotas of the creator; and all quotas together, as soon as there are pods that are charged to none of them. */
function limitsFor(
  candidate: Candidate,
  own: readonly Stored<Quota>[],
  facts: QuotaFacts,
): readonly LimitInUse[] {
  const { tenant, creator } = candidate;
  const used = (user: string | undefined) => usedByOthers(candidate, user, facts);
  const limits = own.map((quota) => ({ limit: limitOf(quota), used: used(creator) }));
  const unlabelled = used(undefined);
  if (creator !== undefined && unlabelled.size === 0) return limits;
  const open = openQuotas(facts.quotas);
  const specs = open.map((quota) => quota.spec);
  const users = new Set(specs.map(({ user }) => creatorLabel(user)));
  const labelled = [...users].map(used).reduce(addAmounts, noAmounts);
  const [first, ...others] = open.map(limitOf);
  const name = first && others.length === 0 ? first.name : `the slices of "${tenant}"`;
  const spec = sumOfQuotas(specs);
  return [...limits, { limit: { name, spec }, used: addAmounts(unlabelled, labelled) }];
}

function usedByOthers(
  { tenant, key }: Candidate,
  creator: string | undefined,
  { ledger }: QuotaFacts,
): Amounts {
  const used = ledger.used(tenant, creator);
  const own = ledger.get(key);
  const isOwn = own?.tenant === tenant && own.creator === creator;
  return isOwn ? subtractAmounts(used, own.demand) : used;
}

function limitOf({ metadata, spec }: Stored<Quota>): Limit {
  const slice = metadata.ownerReferences?.find(
    ({ kind, apiVersion }) =>
      kind === ResourceSlice.kind && apiVersion === apiVersionOf(ResourceSlice),
  );
  return { name: slice ? `slice ${slice.name}` : `quota ${metadata.name}`, spec };
}
