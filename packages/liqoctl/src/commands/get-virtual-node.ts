import { VirtualNode } from '@liqo/api';
import type { Client, Stored } from '@liqo/kube';
import { defineCommand, type Invocation } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  allNamespacesFlag,
  checkOnePlace,
  connectionFlags,
  type Format,
  namespaceFlag,
  outputFlag,
  watchFlag,
} from '../flags/shared-flags.ts';
import { renderJson, renderNames, renderYaml } from '../output/render-objects.ts';
import { renderVirtualNodes } from '../output/render-virtual-nodes.ts';
import { type Frame, watchFrames } from '../output/watch-frames.ts';
import { UserError } from '../user-error.ts';

const flags = {
  ...outputFlag(['table', 'wide', 'json', 'yaml', 'name'], 'how they are printed'),
  ...namespaceFlag('those of one namespace only'),
  ...allNamespacesFlag,
  ...watchFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const getVirtualNode = defineCommand({
  path: ['get', 'virtualnode'],
  summary: 'shows the virtual nodes of this cluster',
  description: 'Prints the VirtualNodes of all namespaces, or those that are named.',
  examples: ['liqoctl get virtualnodes', 'liqoctl get virtualnode mynode -o yaml'],
  operands: { placeholder: 'NAME', least: 0, most: 100, completes: 'virtualnodes' },
  flags,
  check: ({ flags: said }) => checkOnePlace(said),
  async run(call) {
    const { flags: said, connect, print, progress } = call;
    const { client } = await connect();
    if (said.watch) {
      const look = () => see(call, client);
      return watchFrames(call, { doing: 'get VirtualNodes', format: said.output, look });
    }
    const { state, text } = await see(call, client);
    if (state === '') return progress.note('There are no virtual nodes');
    print(text);
  },
});

type Call = Invocation<typeof flags>;

/** Without state if there is nothing to show to a person. */
async function see(call: Call, client: Client): Promise<Frame> {
  const { operands, flags: said, signal, around, suggest } = call;
  const listing = client.list(VirtualNode, { namespace: said.namespace, signal });
  const { items: all } = await attempt('get VirtualNodes', listing);
  const chosen =
    operands.length === 0 ? all : operands.flatMap((name) => named(name, all, suggest));
  const format = said.output ?? 'table';
  const terms = {
    nowMs: around.clock.now(),
    columns: around.stdout.columns,
    isList: operands.length === 0,
  };
  const isTable = format === 'table' || format === 'wide';
  if (chosen.length === 0 && isTable) return { state: '', text: '' };
  return { state: renderJson(chosen), text: render(format, chosen, terms) };
}

function named(
  name: string,
  all: readonly Stored<VirtualNode>[],
  suggest: (command: string) => string,
): readonly Stored<VirtualNode>[] {
  const found = all.filter(({ metadata }) => metadata.name === name);
  if (found.length > 0) return found;
  throw new UserError(`Cannot get VirtualNode "${name}": there is none of that name`, {
    hint: `See which there are: ${suggest('get virtualnodes')}`,
  });
}

interface RenderTerms {
  readonly nowMs: number;
  readonly columns: number | undefined;
  /** Whether a list is printed, also of one object. */
  readonly isList: boolean;
}

function render(
  format: Format,
  objects: readonly Stored<VirtualNode>[],
  { nowMs, columns, isList }: RenderTerms,
): string {
  switch (format) {
    case 'table':
    case 'wide':
      return renderVirtualNodes(objects, { nowMs, columns, isWide: format === 'wide' });
    case 'json':
      return renderJson(objects, { isList });
    case 'yaml':
      return renderYaml(objects);
    case 'name':
      return renderNames(VirtualNode, objects);
  }
}
