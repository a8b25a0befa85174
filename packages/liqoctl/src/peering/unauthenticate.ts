import { controlPlaneIdentityName, Identity, labels, ResourceSlice, Tenant } from '@liqo/api';
import { type Kind, type KubeObject, type ObjectKey, Secret, type Stored } from '@liqo/kube';
import { UserError } from '../user-error.ts';
import { ifServed } from './if-served.ts';
import { readNonceSecret } from './nonce.ts';
import type { Peering } from './peering.ts';
import { attemptAt, type PeeringSide } from './peering-side.ts';
import { removeObject } from './remove-object.ts';
import { readSignedNonce } from './signed-nonce.ts';
import { findNamespaceOf } from './tenant-namespace.ts';

/** Where each cluster has its objects about the other one; a cluster without a tenant namespace has none. */
export interface PlacesFound {
  readonly consumer: string | undefined;
  readonly provider: string | undefined;
}

export async function findPlaces({ consumer, provider, signal }: Peering): Promise<PlacesFound> {
  return {
    consumer: await findNamespaceOf(consumer, provider.clusterID, signal),
    provider: await findNamespaceOf(provider, consumer.clusterID, signal),
  };
}

/**
 * Takes the identity of the consumer at the provider back: first what the consumer has, so that its control plane can still
 * remove its copies, then the Tenant. Safe to repeat; what is not there is not missed.
 */
export async function unauthenticate(peering: Peering, { waits = true } = {}): Promise<void> {
  const places = await findPlaces(peering);
  await refuseSlices(peering, places);
  await removeIdentity(peering, places, waits);
  await removeTenant(peering, places, waits);
}

/** The slices of the consumer at the provider, in its tenant namespace. */
export async function listSlices(
  { consumer, provider, signal }: Peering,
  { consumer: namespace }: PlacesFound,
): Promise<readonly Stored<ResourceSlice>[]> {
  if (namespace === undefined) return [];
  const verb = `list the slices of "${consumer.clusterID}" at "${provider.clusterID}"`;
  const listing = consumer.client.list(ResourceSlice, { namespace, signal });
  const { items } = await attemptAt(consumer, verb, ifServed(listing, nothing));
  return items.filter(({ metadata }) => metadata.labels?.[labels.replicated] !== 'true');
}

const nothing = { items: [], resourceVersion: '' };

async function refuseSlices(peering: Peering, places: PlacesFound): Promise<void> {
  const names = (await listSlices(peering, places)).map(({ metadata }) => `"${metadata.name}"`);
  if (names.length === 0) return;
  const { consumer, provider, suggest } = peering;
  const why = `"${consumer.clusterID}" still has the ResourceSlice ${names.join(', ')}`;
  const hint = `Delete what uses the provider as well, with ${suggest.both('unpeer')}`;
  const message = `Cannot end the authentication at "${provider.clusterID}": ${why}`;
  throw new UserError(message, { hint });
}

/** Whatever its origin: credentials that were written by hand have no Identity. */
async function removeIdentity(
  peering: Peering,
  { consumer: namespace }: PlacesFound,
  waits: boolean,
): Promise<void> {
  const { consumer, provider, signal } = peering;
  if (namespace === undefined) return;
  const name = controlPlaneIdentityName(provider.clusterID);
  await removeIfThere(peering, consumer, { kind: Identity, key: { namespace, name } }, waits);
  const labelSelector = `${labels.identityType}=ControlPlane,${labels.remoteClusterID}=${provider.clusterID}`;
  const listing = consumer.client.list(Secret, { namespace, labelSelector, signal });
  const { items } = await attemptAt(consumer, 'list the credentials', listing);
  for (const object of items) {
    await removeObject(peering, consumer, { kind: Secret, object, waits });
  }
  const place = { providerID: provider.clusterID, namespace };
  const signed = readSignedNonce(consumer, place, signal);
  const object = await attemptAt(consumer, 'look for the signed nonce', signed);
  if (object) await removeObject(peering, consumer, { kind: Secret, object, waits });
}

/** Also the nonce that the provider holds for the next Tenant. */
async function removeTenant(
  peering: Peering,
  { provider: namespace }: PlacesFound,
  waits: boolean,
): Promise<void> {
  const { consumer, provider, signal } = peering;
  if (namespace === undefined) return;
  const key = { namespace, name: consumer.clusterID };
  await removeIfThere(peering, provider, { kind: Tenant, key }, waits);
  const place = { consumerID: consumer.clusterID, namespace };
  const nonce = readNonceSecret(provider, place, signal);
  const object = await attemptAt(provider, 'look for the nonce', nonce);
  if (object) await removeObject(peering, provider, { kind: Secret, object, waits });
}

async function removeIfThere<T extends KubeObject>(
  peering: Peering,
  side: PeeringSide,
  { kind, key }: { readonly kind: Kind<T>; readonly key: ObjectKey },
  waits: boolean,
): Promise<void> {
  const verb = `find the ${kind.kind} "${key.name}" of "${side.clusterID}"`;
  const reading = ifServed(side.client.get(kind, key, peering.signal), undefined);
  const object = await attemptAt(side, verb, reading);
  if (object) await removeObject(peering, side, { kind, object, waits });
}
