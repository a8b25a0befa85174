import { type Client, keyOf, Pod, type Stored } from '@liqo/kube';

/** Whether there is no longer this very pod, whatever there may be of the same name. Who gets no answer cannot say so. */
export async function isReplaced(
  client: Client,
  pod: Stored<Pod>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const found = await client.get(Pod, keyOf(pod), signal);
    return found?.metadata.uid !== pod.metadata.uid;
  } catch {
    return false;
  }
}
