import { compareQuantities, isZeroQuantity, parseQuantity } from '@liqo/kube';
import type { PodSpec, ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';

type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

/** How badly a pod wants its resources, by what its containers ask of CPU and memory. */
export function qosClassOf(spec: PodSpec | undefined): QosClass {
  const asked = demandsOf(spec);
  const isNothing = asked.every(({ limits, requests }) => !hasAny(limits) && !hasAny(requests));
  if (isNothing) return 'BestEffort';
  return asked.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

/** What the pod says for itself is the last word. */
function demandsOf(spec: PodSpec | undefined): readonly ResourceRequirements[] {
  const { resources } = (spec ?? {}) as { resources?: ResourceRequirements };
  if (resources && (resources.limits || resources.requests)) return [resources];
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return containers.map((container) => container.resources ?? {});
}

const counted = ['cpu', 'memory'] as const;

type Amounts = Readonly<Record<string, string>> | undefined;

function hasAny(amounts: Amounts): boolean {
  return counted.some((resource) => has(amounts, resource));
}

function has(amounts: Amounts, resource: string): boolean {
  const amount = amounts?.[resource];
  return amount !== undefined && !isZeroQuantity(parseQuantity(amount));
}

function isGuaranteed({ limits, requests }: ResourceRequirements): boolean {
  return counted.every((resource) => {
    if (!has(limits, resource)) return false;
    const limit = limits?.[resource] ?? '0';
    const request = requests?.[resource] ?? limit;
    return compareQuantities(parseQuantity(limit), parseQuantity(request)) === 0;
  });
}
