import { Identity, labels, NamespaceMap, ResourceSlice, Tenant, VirtualNode } from '@liqo/api';
import { Namespace, type Stored } from '@liqo/kube';
import { whyNotReady } from '../cluster/why-not-ready.ts';
import { UserError } from '../user-error.ts';
import { ifAllowed, ifServed } from './if-served.ts';
import { hasUsedOffers, type OffersPlace, refuseOffers, removeOffers } from './offers.ts';
import type { Peering } from './peering.ts';
import { attemptAt, type PeeringSide } from './peering-side.ts';
import { removeObject } from './remove-object.ts';
import { whyNamespaceRemains } from './tenant-namespace.ts';
import { findPlaces, listSlices, type PlacesFound, unauthenticate } from './unauthenticate.ts';

export interface UnpeerOptions {
  /** Also removes the tenant namespaces; only if the clusters are not peers in the other direction as well. */
  readonly deletesNamespaces?: boolean;
  readonly waits?: boolean;
}

/**
 * Ends what the consumer has at the provider: its slices, its virtual nodes, also those of offers, its identity. Safe to repeat after any end of
 * an earlier call, and from any half of a peering.
 */
export async function unpeer(
  peering: Peering,
  { deletesNamespaces = false, waits = true }: UnpeerOptions = {},
): Promise<void> {
  const { consumer, provider, progress } = peering;
  const places = await findPlaces(peering);
  if (deletesNamespaces) await refuseReversePeering(peering, places);
  await removeUse(peering, places, waits);
  if (!waits && (await isInUse(peering, places))) {
    const rest = `the identity of "${consumer.clusterID}" at "${provider.clusterID}" goes last`;
    return progress.warn(`Not all of it is gone yet, and ${rest}. ${peering.traces.hint}`);
  }
  await unauthenticate(peering);
  await removeOffers(peering, consumer, offersOf(peering, places));
  if (deletesNamespaces) await removeNamespaces(peering, places);
  progress.note(`"${consumer.clusterID}" has nothing left at "${provider.clusterID}"`);
}

/** The slices first: the virtual nodes that were made of them go with them. */
async function removeUse(peering: Peering, places: PlacesFound, waits: boolean): Promise<void> {
  const { consumer } = peering;
  const slices = await listSlices(peering, places);
  const nodes = await listVirtualNodes(peering, consumer);
  for (const object of slices) {
    await removeObject(peering, consumer, { kind: ResourceSlice, object, waits });
  }
  await refuseOffers(peering, consumer, offersOf(peering, places), waits);
  for (const object of nodes) {
    await removeObject(peering, consumer, { kind: VirtualNode, object, why: whyNotReady, waits });
  }
  for (const object of await listMaps(peering, places)) {
    await removeObject(peering, consumer, { kind: NamespaceMap, object, waits });
  }
}

function offersOf({ provider }: Peering, { consumer: namespace }: PlacesFound): OffersPlace {
  return { provider: provider.clusterID, namespace };
}

async function isInUse(peering: Peering, places: PlacesFound): Promise<boolean> {
  if (await hasUsedOffers(peering, peering.consumer, offersOf(peering, places))) return true;
  const slices = await listSlices(peering, places);
  return slices.length + (await listVirtualNodes(peering, peering.consumer)).length > 0;
}

/** Wherever they are: one that was made by hand may be in any namespace. */
async function listVirtualNodes(
  { provider, signal }: Peering,
  side: PeeringSide,
): Promise<readonly Stored<VirtualNode>[]> {
  const verb = `list the virtual nodes of "${side.clusterID}"`;
  const listing = side.client.list(VirtualNode, signal);
  const { items } = await attemptAt(side, verb, ifServed(listing, nothing));
  return items.filter(({ spec }) => spec.clusterID === provider.clusterID);
}

/** Those that outlived their virtual nodes. */
async function listMaps(
  { consumer, provider, signal }: Peering,
  { consumer: namespace }: PlacesFound,
): Promise<readonly Stored<NamespaceMap>[]> {
  if (namespace === undefined) return [];
  const labelSelector = `${labels.replicationDestination}=${provider.clusterID}`;
  const listing = consumer.client.list(NamespaceMap, { namespace, labelSelector, signal });
  const verb = `list the NamespaceMaps of "${consumer.clusterID}"`;
  return (await attemptAt(consumer, verb, ifServed(listing, nothing))).items;
}

const nothing = { items: [], resourceVersion: '' };

const lookingForReverse = 'look for a peering in the other direction';

/** The tenant namespaces hold both directions: one must not take the other with it. */
async function refuseReversePeering(peering: Peering, places: PlacesFound): Promise<void> {
  const { consumer, provider, signal } = peering;
  if (places.consumer === undefined) return;
  const key = { namespace: places.consumer, name: provider.clusterID };
  const reading = ifServed(consumer.client.get(Tenant, key, signal), undefined);
  const tenant = await attemptAt(consumer, lookingForReverse, reading);
  const identities = await listReverseIdentities(peering, places);
  if (!tenant && identities.length === 0) return;
  const why = `"${provider.clusterID}" is a consumer of "${consumer.clusterID}" as well, and these namespaces are about both directions`;
  const hint = `Leave out --delete-namespaces, or end the other direction first with "liqoctl unpeer" from "${provider.clusterID}"`;
  throw new UserError(`Cannot delete the tenant namespaces: ${why}`, { hint });
}

/** A peering user may not look, and then there is the Tenant to go by. */
async function listReverseIdentities(
  { consumer, provider, signal }: Peering,
  { provider: namespace }: PlacesFound,
): Promise<readonly Stored<Identity>[]> {
  if (namespace === undefined) return [];
  const listing = provider.client.list(Identity, { namespace, signal });
  const reading = ifAllowed(ifServed(listing, nothing), nothing);
  const { items } = await attemptAt(provider, lookingForReverse, reading);
  return items.filter(({ spec }) => spec.clusterID === consumer.clusterID);
}

async function removeNamespaces(peering: Peering, places: PlacesFound): Promise<void> {
  const sides = [
    [peering.consumer, places.consumer],
    [peering.provider, places.provider],
  ] as const;
  for (const [side, name] of sides) {
    if (name === undefined) continue;
    const reading = side.client.get(Namespace, { name }, peering.signal);
    const object = await attemptAt(side, `find the namespace "${name}"`, reading);
    if (!object) continue;
    await removeObject(peering, side, { kind: Namespace, object, why: whyNamespaceRemains });
  }
}
