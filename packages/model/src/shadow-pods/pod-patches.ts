import type { Json, Pod, Stored } from '@liqo/kube';
import { isSidecar } from '../pods/follow-pod-spec.ts';
import type { Container, PodSpec } from '../pods/pod-spec.ts';

/**
 * The strategic merge patch for the subresource `resize` that gives a pod the resources of this spec. It carries the
 * resourceVersion, so that it changes no pod but the one that was looked at.
 */
export function resizePatch({ metadata, spec }: Stored<Pod>): Json {
  const { containers = [], initContainers = [], resources }: Partial<PodSpec> = spec ?? {};
  const sidecars = initContainers.filter(isSidecar);
  const { resourceVersion } = metadata;
  return json({
    metadata: { resourceVersion },
    spec: {
      containers: containers.map(resourcesOf),
      ...(sidecars.length > 0 && { initContainers: sidecars.map(resourcesOf) }),
      ...(resources && { resources }),
    },
  });
}

/** The same for the subresource `ephemeralcontainers`. */
export function debugPatch({ metadata, spec }: Stored<Pod>): Json {
  const { ephemeralContainers = [] } = spec ?? {};
  const { resourceVersion } = metadata;
  return json({ metadata: { resourceVersion }, spec: { ephemeralContainers } });
}

function resourcesOf({ name, resources = {} }: Container): Pick<Container, 'name' | 'resources'> {
  return { name, resources };
}

function json(value: unknown): Json {
  return value as Json;
}
