import { labels, rootCaConfigMapName } from '@liqo/api';
import { type ConfigMap, deepEqual, type Stored } from '@liqo/kube';
import type { PodRoute } from './translate-pod-spec.ts';

export type RootCaStep =
  | { readonly type: 'create'; readonly configMap: ConfigMap }
  | { readonly type: 'update'; readonly configMap: ConfigMap }
  | { readonly type: 'leave' };

/**
 * What pods at the provider need to trust the API server of the consumer: every service-account volume of theirs wants it,
 * under a name that does not clash with the provider's own.
 */
export function planRootCa(
  local: Stored<ConfigMap>,
  remote: Stored<ConfigMap> | undefined,
  route: PodRoute,
): RootCaStep {
  const { data = {} } = local;
  if (!remote) return { type: 'create', configMap: forgeRootCa(data, route) };
  const isOurs = remote.metadata.labels?.[labels.origin] === route.consumerClusterID;
  if (!isOurs || deepEqual(remote.data, data)) return { type: 'leave' };
  return { type: 'update', configMap: { ...remote, data } };
}

function forgeRootCa(data: Record<string, string>, route: PodRoute): ConfigMap {
  return {
    metadata: {
      name: rootCaConfigMapName(route.consumerClusterID),
      namespace: route.remoteNamespace,
      labels: {
        [labels.origin]: route.consumerClusterID,
        [labels.destination]: route.providerClusterID,
      },
    },
    data,
  };
}
