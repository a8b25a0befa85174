import { labels, ResourceSlice } from '@liqo/api';
import type { Client, Stored } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { UserError } from '../user-error.ts';

interface WantedSlice {
  readonly name: string;
  readonly namespace?: string | undefined;
  /** The cluster that it is shared with. */
  readonly peer?: string | undefined;
  /** `original`: what this cluster asks of a provider. `copy`: what a consumer asks of this cluster. */
  readonly role: 'original' | 'copy';
  /** What it is needed for, after "Cannot". */
  readonly doing: string;
}

/** The one ResourceSlice that is meant, in whichever namespace it is. */
export async function findResourceSlice(
  { signal, suggest }: Pick<Invocation<FlagTable>, 'signal' | 'suggest'>,
  client: Client,
  { name, namespace, peer, role, doing }: WantedSlice,
): Promise<Stored<ResourceSlice>> {
  const listing = client.list(ResourceSlice, { namespace, signal });
  const all = (await attempt(doing, listing)).items.filter(
    ({ metadata }) => metadata.name === name,
  );
  const own = all.filter(
    (slice) =>
      isCopy(slice) === (role === 'copy') && (peer === undefined || peerOf(slice) === peer),
  );
  const [found, ...others] = own;
  if (found && others.length === 0) return found;
  if (found) {
    const places = own.map(({ metadata }) => metadata.namespace).join(', ');
    throw new UserError(`Cannot ${doing}: there is one in ${places}`, {
      hint: 'Choose a namespace with -n',
    });
  }
  const why = all.length > 0 ? otherRole[role] : 'there is none of that name';
  const hint = `See which there are: ${suggest('get resourceslices')}`;
  throw new UserError(`Cannot ${doing}: ${why}`, { hint });
}

const otherRole = {
  original: 'the one of that name is what a consumer asks of this cluster, and is deleted there',
  copy: 'the one of that name is not what this consumer asks of this cluster',
} as const;

/** Whether a consumer asks it of this cluster. */
export function isCopy({ metadata }: ResourceSlice): boolean {
  return metadata?.labels?.[labels.replicated] === 'true';
}

/** The other cluster. */
export function peerOf(slice: ResourceSlice): string | undefined {
  const { spec, metadata } = slice;
  const named = isCopy(slice) ? spec.consumerClusterID : spec.providerClusterID;
  return named ?? metadata?.labels?.[labels.remoteClusterID];
}
