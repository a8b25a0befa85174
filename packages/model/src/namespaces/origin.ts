import { labels } from '@liqo/api';
import type { KubeObject, Namespace } from '@liqo/kube';

/** Whether an object says that it comes from the consumer that its namespace was made for. */
export function hasRightOrigin(object: KubeObject, namespace: Namespace): boolean {
  const origin = originOf(object);
  return origin !== undefined && origin === namespace.metadata?.labels?.[labels.remoteClusterID];
}

/** The consumer that an object says it comes from. */
export function originOf({ metadata }: KubeObject): string | undefined {
  return metadata?.labels?.[labels.origin];
}

/** Why an object is not acted on in a namespace that was made for another consumer, or for none. */
export function describeWrongOrigin(object: KubeObject, namespace: Namespace): string {
  const { name = '' } = namespace.metadata ?? {};
  return `it says that it comes from "${originOf(object) ?? ''}", for which namespace "${name}" was not made`;
}
