import { labels, type ShadowPod } from '@liqo/api';
import type { Namespace, Pod, Stored } from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';

/** What there is of a consumer, in all of its namespaces, as far as the caches know. */
export interface TenantLoad {
  readonly pods: number;
  readonly shadowPods: number;
}

interface TenantCaches {
  readonly namespaces: CachedReader<Namespace>;
  readonly pods: CachedReader<Pod>;
  readonly shadowPods: CachedReader<ShadowPod>;
}

/** The load of the consumer that a ShadowPod comes from. Its origin is known to be that of its namespace. */
export function tenantLoad(
  { metadata }: Stored<ShadowPod>,
  { namespaces, pods, shadowPods }: TenantCaches,
): TenantLoad {
  const load = { pods: 0, shadowPods: 0 };
  for (const namespace of namespaces.list()) {
    const tenant = namespace.metadata.labels?.[labels.remoteClusterID];
    if (tenant === undefined || tenant !== metadata.labels?.[labels.origin]) continue;
    load.pods += pods.count(namespace.metadata.name);
    load.shadowPods += shadowPods.count(namespace.metadata.name);
  }
  return load;
}
