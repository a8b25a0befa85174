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

/** Anything that a slice or an offer owns. */
interface OwnedObject extends KubeObject {
  readonly spec?: object;
}

type Follow<T extends OwnedObject> = (
  existing: NonNullable<T['spec']>,
  wanted: NonNullable<T['spec']>,
) => object;

interface Access<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly objects: CachedReader<T>;
  /** What becomes of the spec of one that exists; fields that are not wanted stay if nothing is said. */
  readonly follow?: Follow<T>;
  readonly signal: AbortSignal;
}

/** `taken`: an object of that name exists and is not of its owner. `going`: the one of an earlier owner still exists. */
export type Ensured = 'made' | 'taken' | 'going';

/** Makes an object of a slice, or of an offer, what it should be. */
export async function ensureOfSlice<T extends OwnedObject>(
  wanted: T,
  { client, kind, objects, follow = overwrite, signal }: Access<T>,
): Promise<Ensured> {
  const { namespace, name = '' } = wanted.metadata ?? {};
  const key = { namespace, name };
  const existing = objects.get(key) ?? (await client.get(kind, key, signal));
  if (!existing) return create(wanted, client, kind, signal);
  if (existing.metadata.deletionTimestamp !== undefined) return 'going';
  const [owner] = existing.metadata.ownerReferences ?? [];
  const [ours] = wanted.metadata?.ownerReferences ?? [];
  if (owner?.uid !== ours?.uid)
    return owner !== undefined && owner.kind === ours?.kind ? 'going' : 'taken';
  const change = changeOf(existing, wanted, follow);
  if (change) await client.patch(kind, key, mergePatch(change), { signal });
  return 'made';
}

/** Undefined if nothing is to be changed. */
function changeOf<T extends OwnedObject>(
  existing: Stored<T>,
  wanted: T,
  follow: Follow<T>,
): Json | undefined {
  const labels = { ...existing.metadata.labels, ...wanted.metadata?.labels };
  const spec = follow(existing.spec ?? {}, wanted.spec ?? {});
  const isSame = deepEqual(spec, existing.spec) && deepEqual(labels, existing.metadata.labels);
  if (isSame) return undefined;
  const { resourceVersion } = existing.metadata;
  const change = diffMergePatch(existing.spec ?? {}, spec);
  return { metadata: { resourceVersion, labels }, spec: change } as unknown as Json;
}

function overwrite(existing: object, wanted: object): object {
  return { ...existing, ...wanted };
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
