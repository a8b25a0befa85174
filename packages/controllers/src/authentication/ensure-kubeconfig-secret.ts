import { Identity } from '@liqo/api';
import {
  type Client,
  deepEqual,
  isAlreadyExists,
  type Json,
  type KubeObject,
  mergePatch,
  Secret,
  type Stored,
} from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';
import { holds } from './holds.ts';

interface SecretAccess {
  readonly client: Client;
  readonly secrets: CachedReader<Secret>;
  readonly signal: AbortSignal;
}

/** `taken`: a Secret of that name exists and belongs to something else. `going`: the one of an earlier Identity still exists. */
export type EnsuredSecret = 'made' | 'taken' | 'going';

/** Makes the kubeconfig Secret of an Identity what it should be. Writes nothing if it is, and nothing to a foreign Secret. */
export async function ensureKubeconfigSecret(
  wanted: Secret,
  { client, secrets, signal }: SecretAccess,
): Promise<EnsuredSecret> {
  const { namespace, name = '' } = wanted.metadata ?? {};
  const key = { namespace, name };
  const existing = secrets.get(key) ?? (await client.get(Secret, key, signal));
  if (!existing) return create(wanted, client, signal);
  if (existing.metadata.deletionTimestamp !== undefined) return 'going';
  if (!isSameOwner(existing, wanted)) return isOfIdentity(existing) ? 'going' : 'taken';
  if (isAsWanted(existing, wanted)) return 'made';
  await client.patch(Secret, key, mergePatch(changeOf(existing, wanted)), { signal });
  return 'made';
}

function changeOf({ metadata }: Stored<Secret>, wanted: Secret): Json {
  const { labels, annotations, ownerReferences } = wanted.metadata ?? {};
  const { resourceVersion } = metadata;
  const head = { resourceVersion, labels, annotations, ownerReferences };
  return { metadata: head, data: wanted.data } as unknown as Json;
}

async function create(wanted: Secret, client: Client, signal: AbortSignal): Promise<EnsuredSecret> {
  try {
    await client.create(Secret, wanted, signal);
    return 'made';
  } catch (error) {
    // The cache, or the answer to the read, was behind: the next look knows whose it is.
    if (isAlreadyExists(error)) return 'going';
    throw error;
  }
}

function isSameOwner(existing: KubeObject, wanted: KubeObject): boolean {
  const uidOf = ({ metadata }: KubeObject) => metadata?.ownerReferences?.[0]?.uid;
  return uidOf(existing) === uidOf(wanted);
}

/** Of an earlier Identity of the same name: the garbage collector removes it. */
function isOfIdentity({ metadata }: KubeObject): boolean {
  return metadata?.ownerReferences?.[0]?.kind === Identity.kind;
}

/** Others may add labels and annotations. */
function isAsWanted(existing: Stored<Secret>, wanted: Secret): boolean {
  const { labels, annotations, ownerReferences } = wanted.metadata ?? {};
  const { metadata, data } = existing;
  return (
    holds(metadata.labels, labels) &&
    holds(metadata.annotations, annotations) &&
    deepEqual(metadata.ownerReferences, ownerReferences) &&
    holds(data, wanted.data)
  );
}
