import {
  type Client,
  type ClusterRoleBinding,
  deepEqual,
  type Kind,
  mergePatch,
  type ObjectKey,
  type RoleBinding,
  type Stored,
} from '@liqo/kube';
import type { Informer, ReconcileContext } from '@liqo/runtime';

type Binding = ClusterRoleBinding | RoleBinding;

/**
 * Makes a binding of a consumer what it should be, whoever created one of its name: labels, owner and subjects are put right, and
 * one that refers to another role, which cannot be changed, is replaced.
 */
export async function ensureBinding<T extends Binding>(
  client: Client,
  { kind, cache, wanted }: { kind: Kind<T>; cache: Informer<T>; wanted: T },
  run: ReconcileContext,
): Promise<void> {
  const key = keyOfBinding(wanted);
  if (isAsWanted(cache.get(key), wanted)) return;
  const existing = await client.get(kind, key, run.signal);
  if (isAsWanted(existing, wanted)) return;
  if (existing && deepEqual(existing.roleRef, wanted.roleRef)) {
    run.wrote(
      cache,
      await client.patch(kind, key, repair(existing, wanted), { signal: run.signal }),
    );
    return;
  }
  if (existing) {
    const preconditions = { uid: existing.metadata.uid };
    await client.delete(kind, key, { preconditions, signal: run.signal });
  }
  run.wrote(cache, await client.create(kind, wanted, run.signal));
}

function repair({ metadata }: Stored<Binding>, wanted: Binding) {
  const { uid, resourceVersion } = metadata;
  const { labels = {}, ownerReferences = [] } = wanted.metadata ?? {};
  const owners = ownerReferences.map((owner) => ({ ...owner }));
  const subjects = (wanted.subjects ?? []).map((subject) => ({ ...subject }));
  return mergePatch({
    metadata: { uid, resourceVersion, labels, ownerReferences: owners },
    subjects,
  });
}

function keyOfBinding({ metadata }: Binding): ObjectKey {
  return { namespace: metadata?.namespace, name: metadata?.name ?? '' };
}

function isAsWanted(existing: Binding | undefined, wanted: Binding): boolean {
  if (!existing) return false;
  const marks = new Map(Object.entries(existing.metadata?.labels ?? {}));
  const isMarked = Object.entries(wanted.metadata?.labels ?? {}).every(
    ([label, value]) => marks.get(label) === value,
  );
  const ownersOf = ({ metadata }: Binding) =>
    (metadata?.ownerReferences ?? []).map(({ uid }) => uid);
  return (
    isMarked &&
    deepEqual(ownersOf(existing), ownersOf(wanted)) &&
    deepEqual(existing.roleRef, wanted.roleRef) &&
    deepEqual(existing.subjects, wanted.subjects)
  );
}
