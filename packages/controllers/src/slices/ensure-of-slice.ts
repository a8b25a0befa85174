import { ResourceSlice } from '@liqo/api';
import {
  type Client,
  deepEqual,
  diffMergePatch,
  isAlreadyExists,
  type Json,
  type Kind,
  type KubeObject,
  mergePatch,
  type Stored,
} from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';

/** Anything that a slice owns. */
interface OwnedObject extends KubeObject {
  readonly spec?: object;
}

interface Access<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly objects: CachedReader<T>;
  readonly signal: AbortSignal;
}

/** `taken`: an object of that name exists and is not of the slice. `going`: the one of an earlier slice still exists. */
export type Ensured = 'made' | 'taken' | 'going';

/** Makes an object of a slice what it should be. Fields that it does not mention stay as they are. */
export async function ensureOfSlice<T extends OwnedObject>(
  wanted: T,
  { client, kind, objects, signal }: Access<T>,
): Promise<Ensured> {
  const { namespace, name = '' } = wanted.metadata ?? {};
  const key = { namespace, name };
  const existing = objects.get(key) ?? (await client.get(kind, key, signal));
  if (!existing) return create(wanted, client, kind, signal);
  if (existing.metadata.deletionTimestamp !== undefined) return 'going';
  const [owner] = existing.metadata.ownerReferences ?? [];
  const [ours] = wanted.metadata?.ownerReferences ?? [];
  if (owner?.uid !== ours?.uid) return owner?.kind === ResourceSlice.kind ? 'going' : 'taken';
  const change = changeOf(existing, wanted);
  if (change) await client.patch(kind, key, mergePatch(change), { signal });
  return 'made';
}

/** Undefined if nothing is to be changed. */
function changeOf<T extends OwnedObject>(existing: Stored<T>, wanted: T): Json | undefined {
  const labels = { ...existing.metadata.labels, ...wanted.metadata?.labels };
  const spec = { ...existing.spec, ...wanted.spec };
  const isSame = deepEqual(spec, existing.spec) && deepEqual(labels, existing.metadata.labels);
  if (isSame) return undefined;
  const { resourceVersion } = existing.metadata;
  const change = diffMergePatch(existing.spec ?? {}, spec);
  return { metadata: { resourceVersion, labels }, spec: change } as unknown as Json;
}

async function create<T extends OwnedObject>(
  wanted: T,
  client: Client,
  kind: Kind<T>,
  signal: AbortSignal,
): Promise<Ensured> {
  try {
    await client.create(kind, wanted, signal);
    return 'made';
  } catch (error) {
    // The read was behind: the next look knows whose it is.
    if (isAlreadyExists(error)) return 'going';
    throw error;
  }
}
