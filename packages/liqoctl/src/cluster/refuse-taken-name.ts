import { labels, labelValues, VirtualNode } from '@liqo/api';
import { type Client, isForbidden, Node } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import { explain } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { UserError } from '../user-error.ts';

type Call = Pick<Invocation<FlagTable>, 'operands' | 'signal' | 'suggest'>;

/**
 * A Node is called as its VirtualNode is, so the name has to be free among the Nodes and among the VirtualNodes of all
 * namespaces. Whoever may not look is believed.
 */
export async function refuseTakenName(
  { operands: [name = ''], signal, suggest }: Call,
  client: Client,
): Promise<void> {
  const doing = `create VirtualNode "${name}"`;
  const ifAllowed = (error: unknown) => {
    if (isForbidden(error)) return undefined;
    throw explain(doing, error);
  };
  const fieldSelector = `metadata.name=${name}`;
  const listing = client.list(VirtualNode, { fieldSelector, signal });
  const virtualNodes = await listing.catch(ifAllowed);
  if (virtualNodes && virtualNodes.items.length > 0) throw nameTaken({ suggest }, name);
  const node = await client.get(Node, { name }, signal).catch(ifAllowed);
  if (!node || node.metadata.labels?.[labels.type] === labelValues.virtualNode) return;
  throw new UserError(`Cannot ${doing}: there is a Node of that name, which is a real one`, {
    hint: 'Choose another name; kubectl get nodes lists those that are taken',
  });
}

export function nameTaken({ suggest }: Pick<Call, 'suggest'>, name: string): UserError {
  const look = suggest(`get virtualnode ${name}`);
  const message = `Cannot create VirtualNode "${name}": there is one of that name already`;
  return new UserError(message, { hint: `Choose another name, or look at that one: ${look}` });
}
