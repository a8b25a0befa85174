import type { Renew, Tenant } from '@liqo/api';
import { deepEqual, type Stored } from '@liqo/kube';
import { isCopyFrom } from '../replication/plan-replication.ts';
import type { AuthParams } from './forge-identity.ts';

/**
 * What the answer to a Renew has to be; undefined where there is nothing to answer or to change. Only the Tenant of the same
 * namespace answers, so no consumer gets the credentials of another one.
 */
export function answerRenew(
  renew: Stored<Renew>,
  tenant: Stored<Tenant> | undefined,
): AuthParams | undefined {
  const { consumerClusterID, identityType = 'ControlPlane' } = renew.spec ?? {};
  const authParams = tenant?.status?.authParams;
  if (!tenant || !authParams || identityType !== 'ControlPlane') return undefined;
  const { clusterID = '', tenantCondition } = tenant.spec;
  const isOfTenant =
    consumerClusterID === clusterID &&
    isCopyFrom(renew, clusterID) &&
    renew.metadata.namespace === tenant.metadata.namespace;
  const isWithdrawn =
    tenantCondition === 'Drained' || tenant.metadata.deletionTimestamp !== undefined;
  if (!isOfTenant || isWithdrawn) return undefined;
  return deepEqual(renew.status?.authParams, authParams) ? undefined : authParams;
}
