import { addResources, hugePagesPrefix, maxResources, type ResourceList } from '@liqo/kube';
import { isSidecar } from '../pods/follow-pod-spec.ts';
import type { Container, PodSpec } from '../pods/pod-spec.ts';

/**
 * What the containers of a pod need together at the moment at which they need most: a sidecar runs beside everything that
 * starts after it, each other init container runs alone but for those.
 */
export function containerRequests(
  { containers, initContainers = [] }: PodSpec,
  requestsOf: (container: Container) => ResourceList = ({ resources }) => resources?.requests ?? {},
): ResourceList {
  let total = containers.map(requestsOf).reduce<ResourceList>(addResources, {});
  let sidecars: ResourceList = {};
  let peak: ResourceList = {};
  for (const container of initContainers) {
    const running = addResources(sidecars, requestsOf(container));
    peak = maxResources(peak, running);
    if (!isSidecar(container)) continue;
    sidecars = running;
    total = addResources(total, requestsOf(container));
  }
  return maxResources(total, peak);
}

/** The resources that a pod can request as a whole (KEP-2837), in place of the sum of its containers. */
export function podLevelResources(list: ResourceList): ResourceList {
  const entries = Object.entries(list).filter(
    ([name]) => isOvercommittable(name) || name.startsWith(hugePagesPrefix),
  );
  return Object.fromEntries(entries);
}

/** Those of which a pod can request less than its limit. */
export function overcommittableResources(list: ResourceList): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([name]) => isOvercommittable(name)));
}

function isOvercommittable(name: string): boolean {
  return name === 'cpu' || name === 'memory';
}
