import { annotations, ShadowPod } from '@liqo/api';
import { type Client, isNotFound, keyOf, mergePatch, type Pod, type Stored } from '@liqo/kube';
import { graceOf } from '@liqo/model';

/**
 * Asks the provider to end a pod. A wish for another grace period than the pod's own is written down first: the deletion of
 * the wish for the pod cannot carry it. The wish stays until the pod has ended: somebody may come to want less.
 */
export async function deleteShadowPod(
  client: Client,
  shadowPod: Stored<ShadowPod>,
  local: Stored<Pod> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { uid } = shadowPod.metadata;
  const graceSeconds = unusualGrace(shadowPod, local);
  try {
    if (graceSeconds !== undefined) {
      const change = { [annotations.deletionGracePeriodSeconds]: String(graceSeconds) };
      const patch = mergePatch({ metadata: { uid, annotations: change } });
      await client.patch(ShadowPod, keyOf(shadowPod), patch, signal);
    }
    await client.delete(ShadowPod, keyOf(shadowPod), {
      preconditions: { uid },
      propagationPolicy: isTerminating(local) ? 'Foreground' : 'Background',
      signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Else it is not for this pod that the other one has to end. */
function isTerminating(local: Stored<Pod> | undefined): boolean {
  return local?.metadata.deletionTimestamp !== undefined;
}

function unusualGrace(
  shadowPod: Stored<ShadowPod>,
  local: Stored<Pod> | undefined,
): number | undefined {
  const wanted = local?.metadata.deletionGracePeriodSeconds;
  return wanted === graceOf(shadowPod) ? undefined : wanted;
}
