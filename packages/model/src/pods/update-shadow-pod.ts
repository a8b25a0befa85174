import { labels, type ShadowPod } from '@liqo/api';
import { deepEqual, type Stored } from '@liqo/kube';
import { followPodSpec, followResources } from './follow-pod-spec.ts';
import type { ForgedShadowPod } from './forge-shadow-pod.ts';

/**
 * The ShadowPod as it has to be written, or nothing if it is good as it is. Labels and annotations become the wanted
 * ones; of the spec only what may change in a running pod follows. All the rest stays as it was when the pod was
 * offloaded, even if the route would give something else by now.
 */
export function updateShadowPod(
  current: Stored<ShadowPod>,
  wanted: ForgedShadowPod,
): Stored<ShadowPod> | undefined {
  const updated = {
    ...current,
    metadata: {
      ...current.metadata,
      labels: { ...wanted.metadata.labels, ...labelsOfProvider(current) },
      annotations: wanted.metadata.annotations,
    },
    spec: { ...current.spec, pod: follow(current.spec.pod, wanted.spec.pod) },
  };
  return deepEqual(updated, current) ? undefined : updated;
}

/**
 * The same with nothing in the spec but what every provider accepts, Liqo's included: images, deadline and tolerations.
 * For when the whole update is denied: metadata must not be lost with a resize.
 */
export function updateShadowPodWithoutResize(
  current: Stored<ShadowPod>,
  wanted: ForgedShadowPod,
): Stored<ShadowPod> | undefined {
  const followed = current.spec.pod ? followPodSpec(current.spec.pod, wanted.spec.pod) : undefined;
  return updateShadowPod(current, { ...wanted, spec: { pod: followed ?? wanted.spec.pod } });
}

type PodSpec = ForgedShadowPod['spec']['pod'];

function follow(current: PodSpec | undefined, wanted: PodSpec): PodSpec {
  if (!current) return wanted;
  return followResources(followPodSpec(current, wanted), wanted);
}

function labelsOfProvider({ metadata }: Stored<ShadowPod>): Record<string, string> {
  const user = metadata.labels?.[labels.creatorUser];
  return user === undefined ? {} : { [labels.creatorUser]: user };
}
