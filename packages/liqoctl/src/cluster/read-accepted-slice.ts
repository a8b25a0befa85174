import { ResourceSlice } from '@liqo/api';
import type { Client, ObjectKey } from '@liqo/kube';
import { attempt } from '../explain.ts';
import { UserError } from '../user-error.ts';

/** A slice that the provider has granted: only then it has resources and credentials to use. */
export async function readAcceptedSlice(
  client: Client,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<ResourceSlice> {
  const doing = `use ResourceSlice "${key.name}" of the namespace "${key.namespace}"`;
  const slice = await attempt(doing, client.get(ResourceSlice, key, signal));
  if (!slice) {
    const hint = 'See which there are: kubectl get resourceslices -A';
    throw new UserError(`Cannot ${doing}: there is none of that name`, { hint });
  }
  const conditions = slice.status?.conditions ?? [];
  const isAccepted =
    conditions.length > 0 && conditions.every(({ status }) => status === 'Accepted');
  if (isAccepted) return slice;
  const why = conditions.find(({ status }) => status !== 'Accepted')?.message;
  const hint = `Wait until the provider has accepted it: kubectl get resourceslice ${key.name} -n ${key.namespace}`;
  const fact = `the provider has not accepted it${why ? ` (${why})` : ''}`;
  throw new UserError(`Cannot ${doing}: ${fact}`, { hint });
}
