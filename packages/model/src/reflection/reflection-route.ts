import { labels, type VirtualNode } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';

/** Which objects of a kind are reflected: all but those that say no, or only those that say yes. */
export type ReflectionPolicy = 'AllowList' | 'DenyList';

type OfferedClasses = Pick<
  VirtualNode['spec'],
  'ingressClasses' | 'loadBalancerClasses' | 'storageClasses'
>;

/** How the objects of one namespace of the consumer reach the provider. */
export interface ReflectionRoute {
  readonly consumerClusterID: string;
  readonly providerClusterID: string;
  /** The namespace at the provider. */
  readonly remoteNamespace: string;
  readonly policy: ReflectionPolicy;
  /** The classes that the provider offers; none when absent. */
  readonly offered?: OfferedClasses;
  /** Keys that are not copied. */
  readonly notReflected: {
    readonly labels: readonly string[];
    readonly annotations: readonly string[];
  };
}

/** Selects the objects at the provider that this consumer has reflected there. */
export function reflectedSelector(
  route: Pick<ReflectionRoute, 'consumerClusterID' | 'providerClusterID'>,
): string {
  return `${labels.origin}=${route.consumerClusterID},${labels.destination}=${route.providerClusterID}`;
}

/** Whether an object at the provider is a copy that this consumer has made. */
export function isReflectedCopy(
  { metadata }: KubeObject,
  route: Pick<ReflectionRoute, 'consumerClusterID' | 'providerClusterID'>,
): boolean {
  const marks = metadata?.labels ?? {};
  return (
    marks[labels.origin] === route.consumerClusterID &&
    marks[labels.destination] === route.providerClusterID
  );
}
