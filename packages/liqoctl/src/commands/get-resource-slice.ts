import { ResourceSlice, VirtualNode } from '@liqo/api';
import type { Client, Stored } from '@liqo/kube';
import { readSliceUse, type SliceUse } from '../cluster/read-slice-use.ts';
import { defineCommand } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  allNamespacesFlag,
  checkOnePlace,
  connectionFlags,
  namespaceFlag,
  outputFlag,
} from '../flags/shared-flags.ts';
import { renderJson, renderNames, renderYaml } from '../output/render-objects.ts';
import { renderResourceSlices } from '../output/render-resource-slices.ts';
import { UserError } from '../user-error.ts';

const flags = {
  ...outputFlag(['table', 'wide', 'json', 'yaml', 'name'], 'how they are printed'),
  ...namespaceFlag('those of one namespace only'),
  ...allNamespacesFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const getResourceSlice = defineCommand({
  path: ['get', 'resourceslice'],
  summary: 'shows what is asked of providers, and by consumers',
  description:
    'Prints the ResourceSlices of all namespaces, or those that are named: what this cluster asks of providers, and what\n' +
    'consumers ask of it; and how much of what is granted their pods use.',
  examples: ['liqoctl get resourceslices', 'liqoctl get resourceslice mypool -o wide'],
  operands: { placeholder: 'NAME', least: 0, most: 100, completes: 'resourceslices' },
  flags,
  check: ({ flags: said }) => checkOnePlace(said),
  async run({ operands, flags: said, signal, connect, print, progress, around, suggest }) {
    const { client } = await connect();
    const listing = client.list(ResourceSlice, { namespace: said.namespace, signal });
    const { items } = await attempt('get ResourceSlices', listing);
    const isNamed = operands.length > 0;
    const chosen = isNamed ? operands.flatMap((name) => named(name, items, suggest)) : items;
    const format = said.output ?? 'table';
    if (format === 'json') return print(renderJson(chosen, { isList: !isNamed }));
    if (format === 'yaml') return print(renderYaml(chosen));
    if (format === 'name') return print(renderNames(ResourceSlice, chosen));
    if (chosen.length === 0) return progress.note('There are no ResourceSlices');
    const { columns } = around.stdout;
    const isWide = format === 'wide';
    const use = await attempt('see what the slices use', readUse(client, chosen, signal));
    print(renderResourceSlices(chosen, { use, nowMs: around.clock.now(), isWide, columns }));
  },
});

async function readUse(
  client: Client,
  slices: readonly Stored<ResourceSlice>[],
  signal: AbortSignal,
): Promise<SliceUse> {
  const { items } = await client.list(VirtualNode, signal);
  return readSliceUse(client, slices, items, { signal });
}

function named(
  name: string,
  all: readonly Stored<ResourceSlice>[],
  suggest: (command: string) => string,
): readonly Stored<ResourceSlice>[] {
  const found = all.filter(({ metadata }) => metadata.name === name);
  if (found.length > 0) return found;
  throw new UserError(`Cannot get ResourceSlice "${name}": there is none of that name`, {
    hint: `See which there are: ${suggest('get resourceslices')}`,
  });
}
