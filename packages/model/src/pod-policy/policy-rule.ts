import type { PodSpec } from '../pods/pod-spec.ts';
import type { PodPolicy } from './pod-policy.ts';

/** What a rule knows of a pod besides its spec. */
export interface PolicyContext {
  readonly policy: PodPolicy;
  /** Of the pod at the provider. */
  readonly namespace: string;
}

/** One rule of the provider about the pods of its consumers, and a row of the published table. */
export interface PolicyRule {
  readonly fields: string;
  readonly about: string;
  /** The value of the chart that changes the rule. */
  readonly value?: string;
  /** Why a pod is refused, each as a clause: `volume "data" is of type nfs`. */
  readonly problems?: (spec: PodSpec, context: PolicyContext) => readonly string[];
  /** The spec as the provider runs it. */
  readonly change?: (spec: PodSpec, context: PolicyContext) => PodSpec;
}
