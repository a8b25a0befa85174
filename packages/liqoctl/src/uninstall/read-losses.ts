import {
  Advertisement,
  ForeignCluster,
  NamespaceOffloading,
  ResourceSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import type { Client, Kind, KubeObject, Stored } from '@liqo/kube';
import { isOwnOffer } from '../cluster/find-advertisement.ts';
import { isCopy } from '../cluster/find-resource-slice.ts';
import { ifServed } from '../peering/if-served.ts';
import type { Losses } from './losses.ts';

/** Also where some of the kinds are gone already. */
export async function readLosses(client: Client, signal: AbortSignal): Promise<Losses> {
  const [peers, virtualNodes, offloadings, slices, offers, tenants, shadowPods] = await Promise.all(
    [
      listIfServed(client, ForeignCluster, signal),
      listIfServed(client, VirtualNode, signal),
      listIfServed(client, NamespaceOffloading, signal),
      listIfServed(client, ResourceSlice, signal),
      listIfServed(client, Advertisement, signal),
      listIfServed(client, Tenant, signal),
      listIfServed(client, ShadowPod, signal),
    ],
  );
  return {
    peers: peers.filter(isInUse).map(nameOf),
    virtualNodes: virtualNodes.map(nameOf),
    offloadedNamespaces: offloadings.map(({ metadata }) => metadata.namespace ?? ''),
    slices: slices.filter((slice) => !isCopy(slice)).map(nameOf),
    offers: offers.filter(isTaken).map(({ spec }) => spec.providerClusterID),
    tenants: tenants.map(nameOf),
    podsOfConsumers: shadowPods.length,
  };
}

export async function listIfServed<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  signal: AbortSignal,
): Promise<readonly Stored<T>[]> {
  const none = { items: [], resourceVersion: '' };
  return (await ifServed(client.list(kind, { signal }), none)).items;
}

function nameOf({ metadata }: Stored<KubeObject>): string {
  return metadata.name;
}

function isInUse({ status }: Stored<ForeignCluster>): boolean {
  const { networking, authentication, offloading } = status?.modules ?? {};
  return Boolean(networking?.enabled || authentication?.enabled || offloading?.enabled);
}

/** An offer of a provider that this cluster uses. */
function isTaken(offer: Stored<Advertisement>): boolean {
  return !isOwnOffer(offer) && offer.status?.phase === 'Accepted';
}
