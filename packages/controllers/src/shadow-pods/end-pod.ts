import { annotations, finalizers, ShadowPod } from '@liqo/api';
import { apiVersionOf, type Client, keyOf, Pod, type Stored } from '@liqo/kube';
import { confirmAbsent, hasFinalizer, removeFinalizer } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import type { Lately } from './lately.ts';

interface EndingWorld {
  readonly client: Client;
  /** The UIDs of ShadowPods whose pods our cache has shown while they ended: it knows when those are gone. */
  readonly ending: Lately;
}

/**
 * Ends the pod of a ShadowPod that is being deleted, within the grace period that the consumer asks for, and then removes
 * the finalizer of the ShadowPod. No other pod is made from it.
 */
export async function endPod(
  world: EndingWorld,
  shadowPod: Stored<ShadowPod>,
  pod: Stored<Pod> | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!pod || !isMadeFor(shadowPod, pod)) return letGo(world, shadowPod, signal);
  const graceSeconds = askedGrace(shadowPod);
  const { deletionTimestamp, deletionGracePeriodSeconds = Number.POSITIVE_INFINITY } = pod.metadata;
  const isInHaste = graceSeconds !== undefined && graceSeconds < deletionGracePeriodSeconds;
  if (deletionTimestamp === undefined || isInHaste) {
    await deletePod(world.client, pod, graceSeconds, signal);
  }
  world.ending.note(shadowPod.metadata.uid);
}

/** Ends a pod whose ShadowPod is gone. The garbage collector would, too, but at 40 requests a second for the whole cluster. */
export async function endOrphan(
  client: Client,
  pod: Stored<Pod>,
  signal: AbortSignal,
): Promise<void> {
  const owner = ownerOf(pod);
  if (!owner || pod.metadata.deletionTimestamp !== undefined) return;
  const { namespace } = pod.metadata;
  const identity = { namespace, name: owner.name, uid: owner.uid };
  const absent = await confirmAbsent(client, ShadowPod, identity, signal);
  if (absent) await deletePod(client, pod, undefined, signal);
}

export function deletePod(
  client: Client,
  pod: Stored<Pod>,
  gracePeriodSeconds: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds };
  return removeIfThere(client, Pod, pod, { ...grace, signal });
}

/** A pod that our cache has not shown while it ended may exist: a live read decides. */
async function letGo(
  { client, ending }: EndingWorld,
  shadowPod: Stored<ShadowPod>,
  signal: AbortSignal,
): Promise<void> {
  if (!hasFinalizer(shadowPod, finalizers.shadowPod)) return;
  const isGone = ending.has(shadowPod.metadata.uid);
  const live = isGone ? undefined : await client.get(Pod, keyOf(shadowPod), signal);
  if (live && isMadeFor(shadowPod, live)) return;
  await removeFinalizer(client, ShadowPod, shadowPod, finalizers.shadowPod, signal);
}

/** Undefined for the pod's own. */
function askedGrace({ metadata }: Stored<ShadowPod>): number | undefined {
  const asked = Number(
    metadata.annotations?.[annotations.deletionGracePeriodSeconds] ?? Number.NaN,
  );
  return Number.isInteger(asked) && asked >= 0 ? asked : undefined;
}

export function isMadeFor({ metadata }: Stored<ShadowPod>, pod: Stored<Pod>): boolean {
  return ownerOf(pod)?.uid === metadata.uid;
}

/** The ShadowPod that the pod was made for. */
function ownerOf({ metadata }: Stored<Pod>) {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const isMade = owner?.kind === ShadowPod.kind && owner.apiVersion === apiVersionOf(ShadowPod);
  return isMade ? owner : undefined;
}
