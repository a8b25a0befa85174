import { finalizers, remoteCertificateSecretName, Tenant } from '@liqo/api';
import type { ObjectKey, Stored } from '@liqo/kube';
import { everywhereBindingName } from '@liqo/model';
import {
  done,
  hasFinalizer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
} from '@liqo/runtime';
import { evictTenant } from './drain-tenant.ts';
import { spendNonce } from './handshake.ts';
import { withdrawRequests } from './issue-certificate.ts';
import type { TenantContext } from './tenant-context.ts';
import { withdrawEverywhere } from './tenant-rights.ts';

/** Where the certificate of the control plane of a consumer is kept. */
export function certificateKey({ metadata }: Stored<Tenant>): ObjectKey {
  return { namespace: metadata.namespace, name: remoteCertificateSecretName() };
}

/** Lets a consumer out whose Tenant is being deleted. Its certificates stay valid until they expire, without any right. */
export async function tearDownTenant(
  context: TenantContext,
  tenant: Stored<Tenant>,
  run: ReconcileContext,
): Promise<Outcome> {
  const { client } = context;
  if (!hasFinalizer(tenant, finalizers.tenant)) return done;
  await evictTenant(context, tenant, run);
  await withdrawRequests(context, certificateKey(tenant), run);
  await spendNonce(context, tenant, run.signal);
  await removeFinalizer(client, Tenant, tenant, finalizers.tenant, run.signal);
  return done;
}

/** A Tenant that went without its finalizer, by force, has left what it does not own. */
export async function removeLeftovers(
  context: TenantContext,
  consumerClusterID: string,
  run: ReconcileContext,
): Promise<Outcome> {
  const { client, everywhereBindings } = context;
  const name = everywhereBindingName(consumerClusterID);
  if (!everywhereBindings.get({ name })) return done;
  const { items } = await client.list(Tenant, { signal: run.signal });
  if (items.some(({ spec }) => spec.clusterID === consumerClusterID)) return done;
  await withdrawEverywhere(context, consumerClusterID, run);
  return done;
}
