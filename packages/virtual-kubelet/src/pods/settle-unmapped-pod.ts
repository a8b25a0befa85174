import { labels, NamespaceMap } from '@liqo/api';
import { ownMember, type Pod, type Stored } from '@liqo/kube';
import { done, type Outcome, type ReconcileContext, requeueAfter } from '@liqo/runtime';
import type { PodWorld } from './reconcile-pod.ts';
import { releaseLocalPod } from './release-local-pod.ts';

type UnmappedWorld = Pick<PodWorld, 'context' | 'status'>;

/**
 * A pod on the node whose namespace is not at the provider. It waits if it was never there. If it was, its end is certain
 * only when the provider says that the namespace is gone: by a map, read now, that has no word of it. No map says nothing.
 * One that has never begun may go as soon as the provider says that the namespace is not ours, or never will be.
 */
export async function settleUnmappedPod(
  world: UnmappedWorld,
  local: Stored<Pod>,
  run: ReconcileContext,
): Promise<Outcome> {
  const maps = await readMaps(world, run.signal);
  const isGoing = local.metadata.deletionTimestamp !== undefined;
  if (isGoing && hasNeverBegun(local) && maps.some((map) => isNotOurs(map, local))) {
    await releaseLocalPod(world.context.local, local, run.signal);
    return done;
  }
  if (maps.length === 0 || maps.some((map) => mentions(map, local))) {
    if (!isGoing && isPending(local)) await sayWhyWaiting(world, local, maps, run);
    return requeueAfter(5_000, 'waiting for the provider to say that the namespace is gone');
  }
  if (isGoing) await releaseLocalPod(world.context.local, local, run.signal);
  else await world.status.settleUnmapped(local, run);
  return done;
}

/** A namespace that is on its way needs no words; one that is refused does, and so does one that nobody knows of. */
async function sayWhyWaiting(
  { status }: UnmappedWorld,
  local: Stored<Pod>,
  maps: readonly NamespaceMap[],
  run: ReconcileContext,
): Promise<void> {
  if (maps.length === 0) {
    if (hasNeverBegun(local)) await status.settleUnmapped(local, run);
    return;
  }
  const namespace = local.metadata.namespace ?? '';
  const mappings = maps.map((map) => ownMember(map.status?.currentMapping, namespace));
  const refused = mappings.find((mapping) => mapping?.phase === 'CreationLoopBackOff');
  if (!refused) return;
  const { remoteNamespace, message = 'it does not say why' } = refused;
  const note = `The provider does not take the namespace "${remoteNamespace}": ${message}`;
  await status.sayWaiting(local, 'OffloadingBackOff', note, run);
}

/** Other reasons may be of a namespace that is ours, in which pods run. */
const reasonsOfOthers: ReadonlySet<string> = new Set([
  'NamespaceTaken',
  'ReservedName',
  'NameGranted',
]);

function isNotOurs({ status }: NamespaceMap, { metadata }: Stored<Pod>): boolean {
  const { phase, reason = '' } = ownMember(status?.currentMapping, metadata.namespace ?? '') ?? {};
  return phase === 'CreationLoopBackOff' && reasonsOfOthers.has(reason);
}

function hasNeverBegun(local: Stored<Pod>): boolean {
  return isPending(local) && local.status?.startTime === undefined;
}

/** To say that it waits is true in any case. */
function isPending({ status }: Stored<Pod>): boolean {
  return (status?.phase ?? 'Pending') === 'Pending';
}

async function readMaps(
  { context }: UnmappedWorld,
  signal: AbortSignal,
): Promise<readonly NamespaceMap[]> {
  const { namespace } = context.virtualNode;
  const labelSelector = `${labels.replicationDestination}=${context.providerClusterID}`;
  const maps = await context.local.list(NamespaceMap, { namespace, labelSelector, signal });
  return maps.items;
}

/** For as long as there is anything over there: the provider removes the entry when the namespace is gone. */
function mentions({ spec, status }: NamespaceMap, { metadata }: Stored<Pod>): boolean {
  const namespace = metadata.namespace ?? '';
  const { desiredMapping = {} } = spec;
  const { currentMapping = {} } = status ?? {};
  return Object.hasOwn(desiredMapping, namespace) || Object.hasOwn(currentMapping, namespace);
}
