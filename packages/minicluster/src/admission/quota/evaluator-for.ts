import { oncePer } from '../../schema/once-per.ts';
import { claimUsage } from './claim-usage.ts';
import { objectCount } from './object-count.ts';
import { podUsage } from './pod-usage.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { serviceUsage } from './service-usage.ts';

const special: Readonly<Record<string, QuotaEvaluator>> = {
  pods: podUsage,
  services: serviceUsage,
  persistentvolumeclaims: claimUsage,
};

interface CountedResource {
  readonly group: string;
  readonly plural: string;
}

const countOf = oncePer((resource: CountedResource) => objectCount(resource));

/** How a resource counts: most by number only. Undefined for what nobody counts. */
export function evaluatorFor(resource: CountedResource): QuotaEvaluator | undefined {
  const { group, plural } = resource;
  const isEvent = plural === 'events' && (group === '' || group === 'events.k8s.io');
  const isReview = group === 'authorization.k8s.io' || group === 'authentication.k8s.io';
  if (isEvent || isReview) return undefined;
  return (group === '' && special[plural]) || countOf(resource);
}
