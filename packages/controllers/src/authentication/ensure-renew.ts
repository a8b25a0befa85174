import { Identity, Renew } from '@liqo/api';
import {
  type Client,
  deepEqual,
  isAlreadyExists,
  type Json,
  mergePatch,
  type Stored,
} from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';
import { holds } from './holds.ts';

interface RenewAccess {
  readonly client: Client;
  readonly renews: CachedReader<Renew>;
  readonly signal: AbortSignal;
}

/** The Renew of an Identity. `taken`: it belongs to something else. `going`: it is that of an earlier Identity. */
export async function ensureRenew(
  wanted: Renew,
  { client, renews, signal }: RenewAccess,
): Promise<Stored<Renew> | 'going' | 'taken'> {
  const { namespace, name = '' } = wanted.metadata ?? {};
  const key = { namespace, name };
  const existing = renews.get(key) ?? (await client.get(Renew, key, signal));
  if (!existing) return create(wanted, client, signal);
  if (existing.metadata.deletionTimestamp !== undefined) return 'going';
  const [owner] = existing.metadata.ownerReferences ?? [];
  const [ours] = wanted.metadata?.ownerReferences ?? [];
  if (owner?.uid !== ours?.uid) return owner?.kind === Identity.kind ? 'going' : 'taken';
  const isAsWanted =
    holds(existing.metadata.labels, wanted.metadata?.labels) &&
    deepEqual(existing.spec, { ...existing.spec, ...wanted.spec });
  if (isAsWanted) return existing;
  const { resourceVersion } = existing.metadata;
  const metadata = { resourceVersion, labels: wanted.metadata?.labels };
  const patch = mergePatch({ metadata, spec: wanted.spec } as unknown as Json);
  return client.patch(Renew, key, patch, { signal });
}

async function create(wanted: Renew, client: Client, signal: AbortSignal) {
  try {
    return await client.create(Renew, wanted, signal);
  } catch (error) {
    // The read was behind: the next look knows whose it is.
    if (isAlreadyExists(error)) return 'going' as const;
    throw error;
  }
}
