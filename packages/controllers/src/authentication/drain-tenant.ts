import { labels, NamespaceMap, Renew, ResourceSlice, type Tenant } from '@liqo/api';
import {
  type Client,
  formatLabelSelector,
  type Kind,
  type KubeObject,
  labelQueryFromLabels,
  RoleBinding,
  type Stored,
} from '@liqo/kube';
import { bindsControlPlane } from '@liqo/model';
import type { ReconcileContext } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import { recordTenantEvent } from './report-tenant.ts';
import type { TenantContext } from './tenant-context.ts';
import { withdrawRights } from './tenant-rights.ts';

/**
 * Takes from a consumer all that it has here: first its rights, so that it creates nothing more, and then its requests, and with
 * them the namespaces that were made for it.
 */
export async function drainTenant(
  context: TenantContext,
  tenant: Stored<Tenant>,
  run: ReconcileContext,
): Promise<void> {
  const { client } = context;
  const report = (reason: string, note: string) =>
    recordTenantEvent(context, tenant, { type: 'Normal', reason, note });
  if (await withdrawRights(context, tenant, run)) {
    report('ClusterRolesUnbindingSuccess', 'Removed the RoleBindings of the consumer');
  }
  if (await removeCopies(client, ResourceSlice, tenant, run)) {
    report('ResourceSlicesDeleted', 'Deleted the ResourceSlices of the consumer');
  }
  if (await removeCopies(client, NamespaceMap, tenant, run)) {
    report('NamespaceMapsDeleted', 'Deleted the NamespaceMaps of the consumer');
  }
  await reportOtherBindings(context, tenant, run);
}

/** The same for good: also what serves the renewal of credentials. */
export async function evictTenant(
  context: TenantContext,
  tenant: Stored<Tenant>,
  run: ReconcileContext,
): Promise<void> {
  await drainTenant(context, tenant, run);
  await removeCopies(context.client, Renew, tenant, run);
}

async function removeCopies<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  { metadata, spec }: Stored<Tenant>,
  { signal }: ReconcileContext,
): Promise<boolean> {
  const { namespace = '' } = metadata;
  const marks = { [labels.replicationOrigin]: spec.clusterID ?? '', [labels.replicated]: 'true' };
  const labelSelector = formatLabelSelector(labelQueryFromLabels(marks));
  const { items } = await client.list(kind, { namespace, labelSelector, signal });
  const copies = items.filter((copy) => copy.metadata.deletionTimestamp === undefined);
  for (const copy of copies) await removeIfThere(client, kind, copy, { signal });
  return copies.length > 0;
}

/** An administrator who let a consumer in without a handshake has bound its user by hand. */
async function reportOtherBindings(
  context: TenantContext,
  tenant: Stored<Tenant>,
  { signal }: ReconcileContext,
): Promise<void> {
  const { namespace = '' } = tenant.metadata;
  const { items } = await context.client.list(RoleBinding, { namespace, signal });
  const names = items.filter(bindsControlPlane).map(({ metadata }) => `"${metadata.name}"`);
  if (names.length === 0) return;
  const note = `The consumer still has rights in "${namespace}": delete the RoleBinding ${names.join(', ')}`;
  recordTenantEvent(context, tenant, { type: 'Warning', reason: 'RightsRemain', note });
}
