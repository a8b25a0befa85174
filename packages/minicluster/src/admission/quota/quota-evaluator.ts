import type { KubeObject, ResourceList } from '@liqo/kube';
import type { ScopedResourceSelectorRequirement } from 'kubernetes-types/core/v1.d.ts';
import type { AdmissionAttributes } from '../admission.ts';

/** How objects of one resource count against quotas. */
export interface QuotaEvaluator {
  /** Whether such a write can use something up. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Whether a name in `hard` is about these objects. */
  measures(name: string): boolean;
  usageOf(object: KubeObject, nowMs: number): ResourceList;
  isInScope(object: KubeObject, scope: ScopedResourceSelectorRequirement): boolean;
  /** Why the object cannot be counted at all, given what a quota limits. */
  faultOf?(object: KubeObject, limited: readonly string[]): string | undefined;
}
