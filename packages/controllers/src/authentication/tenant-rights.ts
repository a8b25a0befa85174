import type { Tenant } from '@liqo/api';
import { ClusterRoleBinding, type KubeObject, RoleBinding, type Stored } from '@liqo/kube';
import {
  controlPlaneBindingName,
  everywhereBindingName,
  forgeControlPlaneBinding,
  forgeEverywhereBinding,
} from '@liqo/model';
import type { ReconcileContext } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import { ensureBinding } from './ensure-binding.ts';
import type { TenantContext } from './tenant-context.ts';

type RightsContext = Pick<TenantContext, 'bindings' | 'client' | 'everywhereBindings'>;

/** Of the control plane of a consumer, for which this cluster has issued a certificate. */
export function grantControlPlane(
  { client, bindings }: RightsContext,
  tenant: Stored<Tenant>,
  run: ReconcileContext,
): Promise<void> {
  const wanted = forgeControlPlaneBinding(tenant);
  return ensureBinding(client, { kind: RoleBinding, cache: bindings, wanted }, run);
}

/** Of all virtual kubelets of a consumer, in the whole cluster. */
export function grantEverywhere(
  { client, everywhereBindings }: RightsContext,
  { spec }: Stored<Tenant>,
  run: ReconcileContext,
): Promise<void> {
  const wanted = forgeEverywhereBinding(spec.clusterID ?? '');
  const kind = ClusterRoleBinding;
  return ensureBinding(client, { kind, cache: everywhereBindings, wanted }, run);
}

/** Whether there was any right to withdraw. What an administrator has bound by hand stays. */
export async function withdrawRights(
  context: RightsContext,
  tenant: Stored<Tenant>,
  run: ReconcileContext,
): Promise<boolean> {
  const { client } = context;
  const { signal } = run;
  const { namespace = '', uid } = tenant.metadata;
  const key = { namespace, name: controlPlaneBindingName };
  const binding = await client.get(RoleBinding, key, signal);
  const isOurs = binding !== undefined && isOwnedBy(binding, uid);
  if (isOurs) await removeIfThere(client, RoleBinding, binding, { signal });
  const isEverywhere = await withdrawEverywhere(context, tenant.spec.clusterID ?? '', run);
  return isOurs || isEverywhere;
}

export async function withdrawEverywhere(
  { client }: RightsContext,
  consumerClusterID: string,
  { signal }: ReconcileContext,
): Promise<boolean> {
  const key = { name: everywhereBindingName(consumerClusterID) };
  const binding = await client.get(ClusterRoleBinding, key, signal);
  if (binding) await removeIfThere(client, ClusterRoleBinding, binding, { signal });
  return binding !== undefined;
}

function isOwnedBy({ metadata }: Stored<KubeObject>, uid: string): boolean {
  return metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
}
