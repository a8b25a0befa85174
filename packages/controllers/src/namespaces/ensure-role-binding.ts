import {
  type Client,
  deepEqual,
  isAlreadyExists,
  type ObjectKey,
  RoleBinding,
  type Stored,
} from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';

/** Whether the cache shows the binding as it should be. */
export function isBindingInPlace(
  bindings: CachedReader<RoleBinding>,
  wanted: RoleBinding,
): boolean {
  const existing = bindings.get(keyOfBinding(wanted));
  return (
    deepEqual(existing?.roleRef, wanted.roleRef) && deepEqual(existing?.subjects, wanted.subjects)
  );
}

/**
 * Makes the binding what it should be; gives back what was written. What it refers to cannot be changed in place: then it is
 * made anew.
 */
export async function ensureRoleBinding(
  client: Client,
  bindings: CachedReader<RoleBinding>,
  wanted: RoleBinding,
  signal: AbortSignal,
): Promise<Stored<RoleBinding> | undefined> {
  if (isBindingInPlace(bindings, wanted)) return undefined;
  const key = keyOfBinding(wanted);
  const existing = bindings.get(key);
  if (!existing) return createUnlessThere(client, wanted, signal);
  if (!deepEqual(existing.roleRef, wanted.roleRef)) {
    const preconditions = { uid: existing.metadata.uid };
    await client.delete(RoleBinding, key, { preconditions, signal });
    return createUnlessThere(client, wanted, signal);
  }
  return client.update(RoleBinding, { ...existing, subjects: wanted.subjects ?? [] }, signal);
}

function keyOfBinding({ metadata }: RoleBinding): ObjectKey {
  return { namespace: metadata?.namespace, name: metadata?.name ?? '' };
}

/** A cache that is behind shows nothing where there is a binding: it is looked at again when it shows up. */
async function createUnlessThere(
  client: Client,
  wanted: RoleBinding,
  signal: AbortSignal,
): Promise<Stored<RoleBinding> | undefined> {
  try {
    return await client.create(RoleBinding, wanted, signal);
  } catch (error) {
    if (isAlreadyExists(error)) return undefined;
    throw error;
  }
}
