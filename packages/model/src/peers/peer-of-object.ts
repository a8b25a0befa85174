import { type Identity, labels, type Tenant, type VirtualNode } from '@liqo/api';
import { checkDnsLabel, type KubeObject } from '@liqo/kube';

/** The namespace of an object, if the cache of namespaces has it. */
export type FindNamespace = (name: string) => KubeObject | undefined;

/** The peer that a namespace was made for; undefined for any other namespace. */
export function peerOfTenantNamespace({ metadata }: KubeObject): string | undefined {
  const marks = metadata?.labels ?? {};
  return marks[labels.tenantNamespace] === 'true'
    ? clusterIDOf(marks[labels.remoteClusterID])
    : undefined;
}

/**
 * The peer of an object that a peer may write. Only its namespace counts: labels and fields are the writer's choice, and one
 * peer could name others with them.
 */
export function peerByNamespace(object: KubeObject, find: FindNamespace): string | undefined {
  const namespace = find(object.metadata?.namespace ?? '');
  return namespace && peerOfTenantNamespace(namespace);
}

/** A Tenant counts only in the tenant namespace of the consumer that it is about. */
export function peerOfTenant(tenant: Tenant, find: FindNamespace): string | undefined {
  const peer = peerByNamespace(tenant, find);
  return tenant.spec.clusterID === peer ? peer : undefined;
}

export function peerOfIdentity(identity: Identity, find: FindNamespace): string | undefined {
  return unlessOfAnother(identity.spec.clusterID, identity, find);
}

/** Also of a control-plane Secret, whose label names the peer. */
export function peerByLabel(object: KubeObject, find: FindNamespace): string | undefined {
  return unlessOfAnother(object.metadata?.labels?.[labels.remoteClusterID], object, find);
}

/** VirtualNodes that were written by hand lack the label, and may be in any namespace. */
export function peerOfVirtualNode({ spec }: VirtualNode): string | undefined {
  return clusterIDOf(spec?.clusterID);
}

/** What is in the tenant namespace of one peer says nothing of another one. */
function unlessOfAnother(
  claimed: string | undefined,
  object: KubeObject,
  find: FindNamespace,
): string | undefined {
  const owner = peerByNamespace(object, find);
  return owner !== undefined && owner !== claimed ? undefined : clusterIDOf(claimed);
}

/** A label holds more than a cluster ID may. */
function clusterIDOf(text: string | undefined): string | undefined {
  return text !== undefined && checkDnsLabel(text).length === 0 ? text : undefined;
}
