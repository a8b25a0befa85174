import { Advertisement, advertisementName, labels } from '@liqo/api';
import type { Client, Stored } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { UserError } from '../user-error.ts';

/** Whether it is an offer of this cluster for a consumer. */
export function isOwnOffer({ metadata }: Advertisement): boolean {
  return metadata?.labels?.[labels.replication] === 'true';
}

/** The offer of a provider, by its name or by the ID of the provider. */
export async function findAdvertisement(
  { signal, suggest }: Pick<Invocation<FlagTable>, 'signal' | 'suggest'>,
  client: Client,
  { named, doing }: { readonly named: string; readonly doing: string },
): Promise<Stored<Advertisement>> {
  const { items } = await attempt(doing, client.list(Advertisement, signal));
  const names = [named, advertisementName(named)];
  const found = items.filter((one) => !isOwnOffer(one) && names.includes(one.metadata.name));
  // Another object of that name counts for nothing.
  const best = found.find((one) => one.spec.providerClusterID === named) ?? found[0];
  if (best) return best;
  throw new UserError(`Cannot ${doing}: no provider has made such an offer`, {
    hint: `See which there are: ${suggest('advertisement list')}`,
  });
}
