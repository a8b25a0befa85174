import { type Client, deepEqual, isAlreadyExists, RoleBinding } from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';

/** Makes the binding what it should be. What it refers to cannot be changed in place: then it is made anew. */
export async function ensureRoleBinding(
  client: Client,
  bindings: CachedReader<RoleBinding>,
  wanted: RoleBinding,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace: wanted.metadata?.namespace, name: wanted.metadata?.name ?? '' };
  const existing = bindings.get(key);
  if (!existing) return createUnlessThere(client, wanted, signal);
  if (!deepEqual(existing.roleRef, wanted.roleRef)) {
    const preconditions = { uid: existing.metadata.uid };
    await client.delete(RoleBinding, key, { preconditions, signal });
    return createUnlessThere(client, wanted, signal);
  }
  if (deepEqual(existing.subjects, wanted.subjects)) return;
  await client.update(RoleBinding, { ...existing, subjects: wanted.subjects ?? [] }, signal);
}

/** A cache that is behind shows nothing where there is a binding: it is looked at again when it shows up. */
async function createUnlessThere(
  client: Client,
  wanted: RoleBinding,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(RoleBinding, wanted, signal);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
