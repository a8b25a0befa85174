import { type Client, isNotFound, keyOf, Pod, type Stored } from '@liqo/kube';

/** Ends the wait for a pod that is being deleted here and is gone at the provider. */
export async function releaseLocalPod(
  client: Client,
  local: Stored<Pod>,
  signal: AbortSignal,
): Promise<void> {
  const preconditions = { uid: local.metadata.uid };
  try {
    await client.delete(Pod, keyOf(local), { gracePeriodSeconds: 0, preconditions, signal });
  } catch (error) {
    // A conflict may mean that another one has its name by now; a second look will tell, and a pod that stays would not.
    if (!isNotFound(error)) throw error;
  }
}
