import { finalizers, ResourceSlice, VirtualNode } from '@liqo/api';
import type { Client, KubeObject, Stored } from '@liqo/kube';
import { done, hasFinalizer, type Outcome, removeFinalizer, requeueAfter } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';

const lookAgainMs = 5_000;

/**
 * Takes the virtual nodes of a slice down, while its credentials and its Quota still exist; then releases the slice, for the
 * provider to hear of its end. How long a virtual node may take is bounded by its own teardown.
 */
export async function takeDownSlice(
  client: Client,
  slice: Stored<ResourceSlice>,
  signal: AbortSignal,
): Promise<Outcome> {
  if (!hasFinalizer(slice, finalizers.ownSlice)) return done;
  const { namespace } = slice.metadata;
  const { items } = await client.list(VirtualNode, { namespace, signal });
  const made = items.filter((virtualNode) => isOfSlice(virtualNode, slice));
  for (const virtualNode of made) {
    if (virtualNode.metadata.deletionTimestamp !== undefined) continue;
    await removeIfThere(client, VirtualNode, virtualNode, { signal });
  }
  if (made.length > 0) {
    return requeueAfter(lookAgainMs, 'waiting for the virtual node of the slice to go');
  }
  await removeFinalizer(client, ResourceSlice, slice, finalizers.ownSlice, signal);
  return done;
}

/** Whether an object was made for this very slice. */
export function isOfSlice({ metadata }: KubeObject, slice: Stored<ResourceSlice>): boolean {
  return metadata?.ownerReferences?.some(({ uid }) => uid === slice.metadata.uid) ?? false;
}
