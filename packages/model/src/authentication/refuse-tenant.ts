import type { Tenant } from '@liqo/api';
import { checkDnsLabel, type Namespace, type Stored } from '@liqo/kube';
import { whyNotInTenantNamespace } from '../peers/tenant-namespace.ts';
import { proxyUrlProblem } from './proxy-url.ts';

export interface TenantSurroundings {
  readonly ownClusterID: string;
  readonly namespaces: readonly Stored<Namespace>[];
  readonly tenants: readonly Stored<Tenant>[];
}

export interface TenantRefusal {
  readonly reason: string;
  readonly message: string;
}

/** Why a Tenant has no effect, whatever it proves; undefined if it may have one. */
export function refuseTenant(
  tenant: Stored<Tenant>,
  { ownClusterID, namespaces, tenants }: TenantSurroundings,
): TenantRefusal | undefined {
  const { metadata, spec } = tenant;
  const { clusterID = '', proxyURL } = spec;
  if (checkDnsLabel(clusterID).length > 0) {
    return { reason: 'InvalidClusterID', message: 'spec.clusterID is not a cluster ID' };
  }
  if (clusterID === ownClusterID) {
    const message = `spec.clusterID "${clusterID}" is the ID of this cluster`;
    return { reason: 'OwnClusterID', message };
  }
  const { namespace = '' } = metadata;
  const misplaced = whyNotInTenantNamespace({ namespace, peer: clusterID }, namespaces);
  if (misplaced !== undefined) return { reason: 'NotInTenantNamespace', message: misplaced };
  const older = olderTenant(tenant, tenants);
  if (older) {
    const message = `the Tenant "${older.metadata.name}" is about the same cluster and older`;
    return { reason: 'DuplicateTenant', message };
  }
  const problem = proxyURL ? proxyUrlProblem(proxyURL) : undefined;
  return problem === undefined
    ? undefined
    : { reason: 'InvalidProxyURL', message: `spec.proxyURL ${problem}` };
}

/** Of several Tenants of one consumer the oldest counts: no later one takes over its identity. */
function olderTenant(
  tenant: Stored<Tenant>,
  tenants: readonly Stored<Tenant>[],
): Stored<Tenant> | undefined {
  return tenants.find(
    (other) =>
      other.metadata.uid !== tenant.metadata.uid &&
      other.metadata.namespace === tenant.metadata.namespace &&
      other.spec.clusterID === tenant.spec.clusterID &&
      age(other) < age(tenant),
  );
}

function age({ metadata }: Stored<Tenant>): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
