import type { VirtualNode } from '@liqo/api';
import { setCondition } from '@liqo/kube';
import type { ProviderTrouble } from './provider-trouble.ts';

type Conditions = NonNullable<NonNullable<VirtualNode['status']>['conditions']>;

/** What a virtual kubelet sees of its provider. */
export interface ProviderFacts {
  readonly isReachable: boolean;
  /** What is wrong, if anything: also of a provider that can be reached all the same. */
  readonly trouble: ProviderTrouble | undefined;
  readonly now: string;
}

/**
 * The conditions of a VirtualNode with the one that its virtual kubelet owns, about the provider. A reachable provider is
 * `Running`, one of the words of Liqo: `liqoctl info peer` of Liqo v1.2 counts a virtual node as unhealthy if any of its
 * conditions is neither `Running` nor `None`.
 */
export function withProviderCondition(
  conditions: Conditions,
  { isReachable, trouble, now }: ProviderFacts,
): Conditions {
  const status = isReachable ? 'Running' : 'Unreachable';
  const why = trouble && { reason: trouble.reason, message: asSentence(trouble.message) };
  return setCondition(conditions, { type: 'Provider', status, ...why }, now);
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
