import { labels, NamespaceMap } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { done, type Outcome, type ReconcileContext, requeueAfter } from '@liqo/runtime';
import type { PodWorld } from './reconcile-pod.ts';
import { releaseLocalPod } from './release-local-pod.ts';

/**
 * A pod on the node whose namespace is not at the provider. It waits if it was never there. If it was, its end is certain
 * only when the provider says that the namespace is gone.
 */
export async function settleUnmappedPod(
  world: PodWorld,
  local: Stored<Pod>,
  run: ReconcileContext,
): Promise<Outcome> {
  const wasOffloaded = local.metadata.labels?.[labels.shadowPod] === 'true';
  if (wasOffloaded && (await mayStillRun(world, local, run.signal))) {
    return requeueAfter(5_000, 'waiting for the provider to say that the namespace is gone');
  }
  if (local.metadata.deletionTimestamp === undefined) {
    await world.status.settleUnmapped(local, run);
  } else {
    await releaseLocalPod(world.context.local, local, run.signal);
  }
  return done;
}

/** A map says so for as long as there is anything: the provider removes its entry when the namespace is gone. */
async function mayStillRun(
  { context }: PodWorld,
  { metadata }: Stored<Pod>,
  signal: AbortSignal,
): Promise<boolean> {
  const { namespace } = context.virtualNode;
  const labelSelector = `${labels.replicationDestination}=${context.providerClusterID}`;
  const maps = await context.local.list(NamespaceMap, { namespace, labelSelector, signal });
  const local = metadata.namespace ?? '';
  return maps.items.some(
    ({ spec, status }) =>
      spec.desiredMapping?.[local] !== undefined || status?.currentMapping?.[local] !== undefined,
  );
}
