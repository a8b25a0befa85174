import { finalizers, type ShadowPod } from '@liqo/api';
import { type Pod, parseTime, type Stored } from '@liqo/kube';

/** How long the provider's controller may take to begin ending a pod whose ShadowPod is being deleted. */
const holdMs = 30_000;

/**
 * In how many milliseconds the provider's finalizer on a ShadowPod that is being deleted is overdue; undefined where
 * nothing is held, or the pod is ending. An overdue one has no controller behind it: without the finalizer the garbage
 * collector ends the pod.
 */
export function holdOverdueInMs(
  { metadata }: Stored<ShadowPod>,
  pod: Stored<Pod> | undefined,
  nowMs: number,
): number | undefined {
  const isHeld = metadata.finalizers?.includes(finalizers.shadowPod) ?? false;
  if (metadata.deletionTimestamp === undefined || !isHeld) return undefined;
  if (pod?.metadata.deletionTimestamp !== undefined) return undefined;
  return Math.max(parseTime(metadata.deletionTimestamp) + holdMs - nowMs, 0);
}
