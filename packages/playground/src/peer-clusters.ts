import { fixedNames, Quota, ResourceSlice, tenantNamespaceName } from '@liqo/api';
import { type Clock, findCondition } from '@liqo/kube';
import { ensureSlice, peer, preparePeering } from '@liqo/liqoctl/peering';
import type { Peer } from './kubernetes.ts';
import { until } from './until.ts';

interface PeerWork<C extends Peer<C>> {
  readonly consumer: C;
  readonly provider: C;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Makes the consumer a peer of the provider, as `liqoctl peer --create-resource-slice=false` does. */
export async function peerClusters<C extends Peer<C>>(work: PeerWork<C>): Promise<void> {
  await peer(openPeering(work), {});
}

interface SliceWork {
  readonly name: string;
  /** What is not named, the provider decides. */
  readonly resources: Readonly<Record<string, string>>;
}

/** Asks for a slice with a virtual node, as `liqoctl create resourceslice` does, and waits until a Quota limits it. */
export async function obtainSlice<C extends Peer<C>>(
  work: PeerWork<C>,
  { name, resources }: SliceWork,
): Promise<void> {
  const peering = openPeering(work);
  const { consumer, provider, clock, signal } = work;
  const namespace = tenantNamespaceName(provider.name);
  await ensureSlice(peering, peering.consumer, {
    name,
    namespace,
    providerID: provider.name,
    class: fixedNames.defaultResourceSliceClass,
    resources,
    createVirtualNode: true,
  });
  const look = async () => {
    const slice = await consumer.client.get(ResourceSlice, { namespace, name }, signal);
    const granted = findCondition(slice?.status?.conditions, 'Resources');
    if (granted?.status !== 'Accepted') {
      return `the slice "${name}" is not granted: ${granted?.message ?? 'nothing says why'}`;
    }
    const place = { namespace: tenantNamespaceName(consumer.name), signal };
    const { items } = await provider.client.list(Quota, place);
    const isLimited = items.some(({ metadata }) =>
      metadata.ownerReferences?.some((owner) => owner.name === name),
    );
    return isLimited ? undefined : `the slice "${name}" has no Quota`;
  };
  await until(clock, look, signal);
}

function openPeering<C extends Peer<C>>({ consumer, provider, clock, signal }: PeerWork<C>) {
  return preparePeering({
    consumer: { client: consumer.client, clusterID: consumer.name },
    provider: { client: provider.client, clusterID: provider.name },
    clock,
    signal,
    timeoutMs: 300_000,
  });
}
