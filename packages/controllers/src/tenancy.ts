import type { Namespace } from '@liqo/kube';
import { whyNotInTenantNamespace } from '@liqo/model';
import type { CachedReader } from '@liqo/runtime';

/** Why an object in a namespace says nothing about a peer; undefined in the tenant namespace of that peer. */
export type WhyMisplaced = (namespace: string, peer: string) => string | undefined;

export function tenancyOf(namespaces: CachedReader<Namespace>): WhyMisplaced {
  return (namespace, peer) => whyNotInTenantNamespace({ namespace, peer }, namespaces.list());
}
