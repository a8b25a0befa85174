import { Advertisement, NamespaceOffloading, ResourceSlice, Tenant, VirtualNode } from '@liqo/api';
import { type Client, isNotFound, type Kind, type KubeObject, keyOf } from '@liqo/kube';
import { isCopy } from '../cluster/find-resource-slice.ts';
import type { Look } from '../cluster/wait-until.ts';
import { eachOf } from './each-of.ts';
import { listIfServed } from './read-losses.ts';

/** In the order of a take-down: the controllers drain and remove what each of them stands for. */
const kinds: readonly Kind<KubeObject>[] = [
  NamespaceOffloading,
  // Their virtual nodes would be made again.
  Advertisement,
  VirtualNode,
  ResourceSlice,
  Tenant,
];

/** Marks everything that is in use for deletion; the controllers take it down. */
export async function markForDeletion(client: Client, signal: AbortSignal): Promise<void> {
  for (const kind of kinds) {
    const objects = await listOwn(client, kind, signal);
    const unmarked = objects.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    await eachOf(unmarked, (object) => deleteIfThere(client, kind, object, signal));
  }
}

/** Whether the controllers have taken everything down. */
export async function lookAtTakeDown(client: Client, signal: AbortSignal): Promise<Look<true>> {
  for (const kind of kinds) {
    const [first] = await listOwn(client, kind, signal);
    if (first) return { notYet: `there is still the ${kind.kind} "${first.metadata.name}"` };
  }
  return { done: true };
}

/** Without copies of what peers have: those go with their originals, or with the Tenant. */
async function listOwn(client: Client, kind: Kind<KubeObject>, signal: AbortSignal) {
  const items = await listIfServed(client, kind, signal);
  return kind.kind === ResourceSlice.kind
    ? items.filter((object) => !isCopy(object as ResourceSlice))
    : items;
}

export async function deleteIfThere(
  client: Client,
  kind: Kind<KubeObject>,
  object: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const { name = '', namespace, uid } = object.metadata ?? {};
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  const key =
    uid === undefined ? { name, namespace } : keyOf(object as Parameters<typeof keyOf>[0]);
  try {
    const propagationPolicy = 'Background' as const;
    await client.delete(kind, key, { ...preconditions, propagationPolicy, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
