import { annotations, type ResourceSlice, type Tenant } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { isCopyFrom } from '../replication/plan-replication.ts';

/**
 * What the state of a Tenant makes of the annotation of a slice: its value, null to remove it, undefined to leave it. A consumer
 * that removes the annotation gets it back.
 */
export function cordonChange(
  slice: Stored<ResourceSlice>,
  { clusterID = '', tenantCondition }: Tenant['spec'],
): 'true' | null | undefined {
  if (!isCopyFrom(slice, clusterID)) return undefined;
  const value = slice.metadata.annotations?.[annotations.cordonTenant];
  if (tenantCondition === 'Active') return value === undefined ? undefined : null;
  return value === 'true' ? undefined : 'true';
}
