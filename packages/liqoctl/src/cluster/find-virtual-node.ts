import { VirtualNode } from '@liqo/api';
import type { Client, ObjectKey, Stored } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { UserError } from '../user-error.ts';

/** The VirtualNode of that name, wherever it is: names are unique, as those of Nodes are. */
export async function findVirtualNode(
  { signal, suggest }: Pick<Invocation<FlagTable>, 'signal' | 'suggest'>,
  client: Client,
  { namespace, name }: ObjectKey,
): Promise<Stored<VirtualNode>> {
  const listing = client.list(VirtualNode, { namespace, signal });
  const { items } = await attempt(`find VirtualNode "${name}"`, listing);
  const [found, ...others] = items.filter(({ metadata }) => metadata.name === name);
  if (found && others.length === 0) return found;
  if (found) {
    const places = [found, ...others].map(({ metadata }) => metadata.namespace).join(', ');
    const message = `Cannot tell which VirtualNode "${name}" is meant: there is one in ${places}`;
    throw new UserError(message, { hint: 'Choose a namespace with -n' });
  }
  const where = namespace === undefined ? '' : ` in the namespace "${namespace}"`;
  const message = `Cannot find VirtualNode "${name}": there is none of that name${where}`;
  throw new UserError(message, { hint: `See which there are: ${suggest('get virtualnodes')}` });
}
