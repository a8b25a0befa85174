import { Tenant } from '@liqo/api';
import { forgeControlPlaneIdentity } from '@liqo/model';
import { readClusterKeys } from './cluster-keys.ts';
import { forgeOwnTenant } from './forge-own-tenant.ts';
import { applyIdentity, waitForKubeconfig } from './identity.ts';
import { ensureNonce } from './nonce.ts';
import type { Peering } from './peering.ts';
import { attemptAt } from './peering-side.ts';
import { ensureSignedNonce } from './signed-nonce.ts';
import {
  type Admission,
  admissionOf,
  applyTenant,
  refuseOtherTenant,
  waitForAdmission,
} from './tenant.ts';
import { ensureTenantNamespace } from './tenant-namespace.ts';

export interface AuthenticateOptions {
  /** The HTTP CONNECT proxy on the way from the consumer to the API server of the provider. */
  readonly proxyURL?: string | undefined;
}

/** Where each cluster has its objects about the other one. */
interface Places {
  readonly consumer: string;
  readonly provider: string;
}

/**
 * Gives the control plane of the consumer an identity at the provider. Safe to repeat after any end of an earlier call: what
 * is there already is used, and a consumer that has been let in is not asked for another signature. Gives the tenant namespace
 * of the consumer.
 */
export async function authenticate(
  peering: Peering,
  { proxyURL }: AuthenticateOptions = {},
): Promise<{ readonly namespace: string }> {
  const { consumer, provider } = peering;
  const places: Places = {
    consumer: await ensureTenantNamespace(peering, consumer, provider.clusterID),
    provider: await ensureTenantNamespace(peering, provider, consumer.clusterID),
  };
  const admission =
    (await earlierAdmission(peering, places, proxyURL)) ??
    (await shakeHands(peering, places, proxyURL));
  const identity = forgeControlPlaneIdentity({
    provider: provider.clusterID,
    tenantNamespace: places.consumer,
    remoteNamespace: admission.namespace,
    authParams: admission.authParams,
  });
  await applyIdentity(peering, consumer, identity);
  const name = identity.metadata?.name ?? '';
  await waitForKubeconfig(peering, consumer, { namespace: places.consumer, name });
  return { namespace: places.consumer };
}

/** Of a Tenant that shows the same key, request and proxy as a new one would. */
async function earlierAdmission(
  { consumer, provider, signal, suggest }: Peering,
  places: Places,
  proxyURL: string | undefined,
): Promise<Admission | undefined> {
  const key = { namespace: places.provider, name: consumer.clusterID };
  const verb = `find the Tenant "${key.name}" in "${provider.clusterID}"`;
  const tenant = await attemptAt(provider, verb, provider.client.get(Tenant, key, signal));
  if (!tenant || tenant.metadata.deletionTimestamp !== undefined) return undefined;
  const activate = suggest.provider(`activate tenant ${key.name}`);
  refuseOtherTenant(tenant, consumer.clusterID, activate);
  const keys = await readClusterKeys(consumer, signal);
  const parts = { consumerID: consumer.clusterID, namespace: places.provider, keys, proxyURL };
  const { spec } = await forgeOwnTenant({ ...parts, signature: '' });
  const isSame =
    tenant.spec.publicKey === spec.publicKey &&
    tenant.spec.csr === spec.csr &&
    tenant.spec.proxyURL === spec.proxyURL;
  return isSame ? admissionOf(tenant, keys) : undefined;
}

async function shakeHands(
  peering: Peering,
  places: Places,
  proxyURL: string | undefined,
): Promise<Admission> {
  const { consumer, provider } = peering;
  const { clusterID: consumerID } = consumer;
  const namespace = places.provider;
  const nonce = await ensureNonce(peering, provider, { consumerID, namespace });
  const { signature, keys } = await ensureSignedNonce(peering, consumer, {
    providerID: provider.clusterID,
    namespace: places.consumer,
    nonce,
  });
  const tenant = await forgeOwnTenant({ consumerID, namespace, keys, signature, proxyURL });
  await applyTenant(peering, provider, tenant);
  return waitForAdmission(peering, provider, { key: { namespace, name: consumerID }, keys });
}
