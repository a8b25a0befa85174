import { annotations, ShadowPod } from '@liqo/api';
import { type Client, isNotFound, keyOf, mergePatch, type Pod, type Stored } from '@liqo/kube';

/**
 * Asks the provider to end a pod. A wish for another grace period than the pod's own is written down first: the deletion of
 * the wish for the pod cannot carry it.
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
      propagationPolicy: graceSeconds === undefined ? 'Background' : 'Foreground',
      signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function unusualGrace(
  { spec }: Stored<ShadowPod>,
  local: Stored<Pod> | undefined,
): number | undefined {
  const wanted = local?.metadata.deletionGracePeriodSeconds;
  return wanted === spec.pod?.terminationGracePeriodSeconds ? undefined : wanted;
}
