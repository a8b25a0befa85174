import { Tenant } from '@liqo/api';
import type { Client, Stored } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { UserError } from '../user-error.ts';

/** The Tenant of that name, wherever it is: it is called as its consumer is. */
export async function findTenant(
  { signal, suggest }: Pick<Invocation<FlagTable>, 'signal' | 'suggest'>,
  client: Client,
  { name, doing }: { readonly name: string; readonly doing: string },
): Promise<Stored<Tenant>> {
  const fieldSelector = `metadata.name=${name}`;
  const { items } = await attempt(doing, client.list(Tenant, { fieldSelector, signal }));
  const [found, ...others] = items;
  if (found && others.length === 0) return found;
  if (found) {
    const places = items.map(({ metadata }) => metadata.namespace).join(', ');
    const hint = 'Delete those that are not in the tenant namespace of the consumer';
    throw new UserError(`Cannot ${doing}: there is one in ${places}`, { hint });
  }
  const hint = `A Tenant is called as its consumer is, and is in the provider; see the peers of this cluster: ${suggest('info')}`;
  throw new UserError(`Cannot ${doing}: there is no Tenant of that name in this cluster`, { hint });
}
