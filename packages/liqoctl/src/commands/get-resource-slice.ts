import { ResourceSlice, VirtualNode } from '@liqo/api';
import type { Client, Stored } from '@liqo/kube';
import { readSliceUse, type SliceUse } from '../cluster/read-slice-use.ts';
import { defineCommand, type Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  allNamespacesFlag,
  checkOnePlace,
  connectionFlags,
  namespaceFlag,
  outputFlag,
  watchFlag,
} from '../flags/shared-flags.ts';
import { renderJson, renderNames, renderYaml } from '../output/render-objects.ts';
import { renderResourceSlices } from '../output/render-resource-slices.ts';
import { type Frame, watchFrames } from '../output/watch-frames.ts';
import { UserError } from '../user-error.ts';

const flags = {
  ...outputFlag(['table', 'wide', 'json', 'yaml', 'name'], 'how they are printed'),
  ...namespaceFlag('those of one namespace only'),
  ...allNamespacesFlag,
  ...watchFlag,
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
  async run(call) {
    const { flags: said, connect, print, progress } = call;
    const { client } = await connect();
    if (said.watch) {
      const look = () => see(call, client);
      return watchFrames(call, { doing: 'get ResourceSlices', format: said.output, look });
    }
    const { state, text } = await see(call, client);
    if (state === '') return progress.note('There are no ResourceSlices');
    print(text);
  },
});

type Call = Invocation<typeof flags>;

/** Without state if there is nothing to show to a person. */
async function see(call: Call, client: Client): Promise<Frame> {
  const { operands, flags: said, signal, around, suggest } = call;
  const listing = client.list(ResourceSlice, { namespace: said.namespace, signal });
  const { items } = await attempt('get ResourceSlices', listing);
  const isNamed = operands.length > 0;
  const chosen = isNamed ? operands.flatMap((name) => named(name, items, suggest)) : items;
  const state = renderJson(chosen);
  const format = said.output ?? 'table';
  if (format === 'json') return { state, text: renderJson(chosen, { isList: !isNamed }) };
  if (format === 'yaml') return { state, text: renderYaml(chosen) };
  if (format === 'name') return { state, text: renderNames(ResourceSlice, chosen) };
  if (chosen.length === 0) return { state: '', text: '' };
  const use = await attempt('see what the slices use', readUse(client, chosen, signal));
  const { columns } = around.stdout;
  const terms = { use, nowMs: around.clock.now(), isWide: format === 'wide', columns };
  return {
    state: `${state}${JSON.stringify(chosen.map(use))}`,
    text: renderResourceSlices(chosen, terms),
  };
}

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
