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

/** The conditions of a VirtualNode with what its virtual kubelet says of the provider; the others are not its to change. */
export function withProviderCondition(
  conditions: Conditions,
  { isReachable, trouble, now }: ProviderFacts,
): Conditions {
  const status = isReachable ? 'Reachable' : 'Unreachable';
  const why = trouble && { reason: trouble.reason, message: asSentence(trouble.message) };
  return setCondition(conditions, { type: 'Provider', status, ...why }, now);
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
