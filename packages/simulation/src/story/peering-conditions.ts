import { ForeignCluster, Identity, NamespaceMap, Quota, ResourceSlice, ShadowPod } from '@liqo/api';
import { type Client, findCondition, Namespace, Node, Pod } from '@liqo/kube';
import { atMilan, atRome, controlPlane, slice, sliceIdentity } from './peering.ts';

/** Ready, and open for new pods. */
export async function isNodeOpen(rome: Client): Promise<boolean> {
  const node = await rome.get(Node, { name: slice });
  const isReady = findCondition(node?.status?.conditions, 'Ready')?.status === 'True';
  return isReady && node?.spec?.unschedulable !== true;
}

/** Not ready, and closed to new pods. */
export async function isNodeLost(rome: Client): Promise<boolean> {
  const node = await rome.get(Node, { name: slice });
  const isReady = findCondition(node?.status?.conditions, 'Ready')?.status === 'True';
  return !isReady && node?.spec?.unschedulable === true;
}

export async function hasQuota(milan: Client, cpu: string): Promise<boolean> {
  const { items } = await milan.list(Quota, { namespace: atMilan });
  return items.length === 1 && items[0]?.spec.resources?.cpu === cpu;
}

export async function isQuotaCordoned(milan: Client): Promise<boolean> {
  const { items } = await milan.list(Quota, { namespace: atMilan });
  return items.length === 1 && items[0]?.spec.cordoned === true;
}

/** A ShadowPod has no pod. */
export async function isWaiting(milan: Client): Promise<boolean> {
  const { items } = await milan.list(ShadowPod);
  const pods = await Promise.all(items.map(({ metadata }) => milan.get(Pod, metadata)));
  return pods.some((pod) => pod === undefined);
}

/** Both identities of the consumer are with another certificate than at first, and kept in a Secret again. */
export async function isRenewed(rome: Client): Promise<boolean> {
  const { items } = await rome.list(Identity, { namespace: atRome });
  const renewed = items.filter(({ metadata }) => (metadata.generation ?? 0) > 1);
  const names = renewed.map(({ metadata }) => metadata.name);
  return [controlPlane, sliceIdentity].every((name) => names.includes(name));
}

/** The consumer has nothing left at the provider, but for its Tenant. */
export async function isDrained(milan: Client): Promise<boolean> {
  const slices = await milan.list(ResourceSlice, { namespace: atMilan });
  const maps = await milan.list(NamespaceMap, { namespace: atMilan });
  const shadows = await milan.list(ShadowPod);
  const pods = await milan.list(Pod, { labelSelector: 'liqo.io/origin-cluster-id=rome' });
  return [slices, maps, shadows, pods].every(({ items }) => items.length === 0);
}

/** Nothing tells one cluster of the other any more. */
export async function isForgotten(client: Client, peer: string, place: string): Promise<boolean> {
  const known = await client.get(ForeignCluster, { name: peer });
  const namespace = await client.get(Namespace, { name: place });
  return known === undefined && namespace === undefined;
}
