import { labels } from '@liqo/api';
import type { Namespace, ObjectKey } from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';

/**
 * The consumer that an object belongs to, by the label of its namespace: a consumer has many namespaces, and takes turns with
 * the others as one. A namespace that is not in the cache is a flow of its own.
 */
export function tenantOf(namespaces: CachedReader<Namespace>): (key: ObjectKey) => string {
  return ({ namespace = '' }) => {
    const clusterID = namespaces.get({ name: namespace })?.metadata.labels?.[
      labels.remoteClusterID
    ];
    return clusterID === undefined ? `namespace ${namespace}` : `tenant ${clusterID}`;
  };
}
