import { maxNodes } from '../network/address-plan.ts';

/** How many nodes, or which. */
export type NodesWanted = number | readonly { readonly name: string }[];

/** The names of the nodes of a cluster; an error when they cannot be had. */
export function nameNodes(cluster: string, wanted: NodesWanted): readonly string[] {
  const names =
    typeof wanted === 'number'
      ? Array.from({ length: wanted }, (_, nth) => `${cluster}-node-${nth + 1}`)
      : wanted.map(({ name }) => name);
  const fact = findFault(names);
  if (fact) throw new Error(`Cannot start cluster "${cluster}": ${fact}`);
  return names;
}

function findFault(names: readonly string[]): string | undefined {
  if (names.length > maxNodes) return `it can have ${maxNodes} nodes, not ${names.length}`;
  if (new Set(names).size < names.length) return 'two of its nodes have the same name';
  const odd = names.find((name) => !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name));
  if (odd !== undefined)
    return `node name "${odd}" is not made of lower-case letters, digits and inner dashes`;
  return undefined;
}
