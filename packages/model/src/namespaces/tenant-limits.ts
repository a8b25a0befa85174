import { annotations } from '@liqo/api';
import { type Namespace, parseKey } from '@liqo/kube';
import { type NamespaceMapping, refusal } from './plan-remote-namespace.ts';

/** How much a provider holds for one consumer. */
export interface TenantLimits {
  /** Namespaces, of all NamespaceMaps in its tenant namespace. */
  readonly namespaces: number;
  /** Pods, in all of its namespaces. */
  readonly pods: number;
  /** ResourceSlices that are accepted: each takes a certificate, a Secret and a Quota. */
  readonly slices: number;
}

export const defaultTenantLimits: TenantLimits = { namespaces: 500, pods: 10_000, slices: 100 };

/** The reason for what is not made because of a limit. */
export const tenantLimitReached = 'TenantLimitReached';

/** How many namespaces were made for the NamespaceMaps of a tenant namespace. */
export function countNamespacesOf(
  tenantNamespace: string,
  namespaces: readonly Namespace[],
): number {
  return namespaces.filter(({ metadata }) => {
    const map = metadata?.annotations?.[annotations.managedByNamespaceMap];
    return map !== undefined && parseKey(map).namespace === tenantNamespace;
  }).length;
}

export function refuseBeyondLimit(remote: string, limits: TenantLimits): NamespaceMapping {
  const message =
    `The provider makes at most ${limits.namespaces} namespaces for this consumer: ` +
    `"${remote}" is made when another one is no longer offloaded`;
  return refusal(remote, tenantLimitReached, message);
}
