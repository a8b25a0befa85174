import type { Container, PodSpec } from '../pods/pod-spec.ts';
import {
  containerRequests,
  overcommittableResources,
  podLevelResources,
} from './container-requests.ts';

/**
 * The spec with the requests that the API server fills in when a pod is created: a container that has a limit and no request
 * of a resource requests its limit. A stored pod has them already, a ShadowPod does not.
 */
export function withDefaultRequests(spec: PodSpec): PodSpec {
  const { containers, initContainers } = spec;
  return withPodRequests({
    ...spec,
    containers: containers.map(withRequests),
    ...(initContainers && { initContainers: initContainers.map(withRequests) }),
  });
}

function withRequests(container: Container): Container {
  const { limits, requests } = container.resources ?? {};
  if (!limits) return container;
  const complete = { ...limits, ...requests };
  return { ...container, resources: { ...container.resources, requests: complete } };
}

/** A pod with limits of its own requests what its containers do; where they request nothing, its limits. */
function withPodRequests(spec: PodSpec): PodSpec {
  const { limits = {}, requests } = spec.resources ?? {};
  if (Object.keys(limits).length === 0) return spec;
  const ofContainers = overcommittableResources(containerRequests(spec));
  const complete = { ...podLevelResources(limits), ...ofContainers, ...requests };
  return { ...spec, resources: { ...spec.resources, requests: asText(complete) } };
}

function asText(list: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(list).map(([name, amount]) => [name, String(amount)]));
}
