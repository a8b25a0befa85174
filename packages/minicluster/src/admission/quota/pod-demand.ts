import { addResources, maxResources, type Pod, type ResourceList } from '@liqo/kube';
import type { Container, ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';

/** What a pod asks for as a whole, exactly: as its requests, or as its limits. */
export function podDemand(pod: Pod, side: 'limits' | 'requests'): ResourceList {
  const spec = pod.spec as (Pod['spec'] & { resources?: ResourceRequirements }) | undefined;
  const ofContainers = sumContainers(
    spec?.containers ?? [],
    spec?.initContainers ?? [],
    (container) => container.resources?.[side] ?? {},
  );
  const total = { ...ofContainers, ...spec?.resources?.[side] };
  const overhead = spec?.overhead ?? {};
  return addResources(total, side === 'requests' ? overhead : onlyNamesOf(total, overhead));
}

/** Sidecars run beside everything that starts after them; each other init container runs alone but for those. */
function sumContainers(
  containers: readonly Container[],
  initContainers: readonly Container[],
  demandOf: (container: Container) => ResourceList,
): ResourceList {
  let total = containers.map(demandOf).reduce<ResourceList>(addResources, {});
  let sidecars: ResourceList = {};
  let peak: ResourceList = {};
  for (const container of initContainers) {
    const running = addResources(sidecars, demandOf(container));
    peak = maxResources(peak, running);
    if (container.restartPolicy !== 'Always') continue;
    sidecars = running;
    total = addResources(total, demandOf(container));
  }
  return maxResources(total, peak);
}

/** The overhead raises limits, but does not set any. */
function onlyNamesOf(names: ResourceList, list: ResourceList): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([name]) => Object.hasOwn(names, name)));
}
