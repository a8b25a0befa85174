import { annotations, ShadowPod } from '@liqo/api';
import { type Client, isNotFound, keyOf, mergePatch, type Pod, type Stored } from '@liqo/kube';
import { graceOf, isDenial } from '@liqo/model';

/**
 * Deletes a ShadowPod, always in the background: Liqo's webhook denies the update with which the garbage collector ends a
 * foreground deletion, and Liqo's controller makes pods for as long as the ShadowPod is there. A grace period other than
 * the pod's own goes ahead as an annotation, for a provider that holds ShadowPods until their pods have ended.
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
      await annotate(client, shadowPod, change, signal);
    }
    await client.delete(ShadowPod, keyOf(shadowPod), {
      preconditions: { uid },
      propagationPolicy: 'Background',
      signal,
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** A denied annotation must not keep the pod from ending. */
async function annotate(
  client: Client,
  shadowPod: Stored<ShadowPod>,
  annotations: Record<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const patch = mergePatch({ metadata: { uid: shadowPod.metadata.uid, annotations } });
  try {
    await client.patch(ShadowPod, keyOf(shadowPod), patch, signal);
  } catch (error) {
    if (!isDenial(error)) throw error;
  }
}

function unusualGrace(
  shadowPod: Stored<ShadowPod>,
  local: Stored<Pod> | undefined,
): number | undefined {
  const wanted = local?.metadata.deletionGracePeriodSeconds;
  return wanted === graceOf(shadowPod) ? undefined : wanted;
}
