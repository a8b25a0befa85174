import { VirtualNode } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { defineCommand } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  allNamespacesFlag,
  checkOnePlace,
  connectionFlags,
  type Format,
  namespaceFlag,
  outputFlag,
} from '../flags/shared-flags.ts';
import { renderJson, renderNames, renderYaml } from '../output/render-objects.ts';
import { renderVirtualNodes } from '../output/render-virtual-nodes.ts';
import { UserError } from '../user-error.ts';

const flags = {
  ...outputFlag(['table', 'wide', 'json', 'yaml', 'name'], 'how they are printed'),
  ...namespaceFlag('those of one namespace only'),
  ...allNamespacesFlag,
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
  async run({ operands, flags: said, signal, connect, print, progress, around, suggest }) {
    const { client } = await connect();
    const listing = client.list(VirtualNode, { namespace: said.namespace, signal });
    const { items: all } = await attempt('get VirtualNodes', listing);
    const chosen =
      operands.length === 0 ? all : operands.flatMap((name) => named(name, all, suggest));
    const isForPeople = said.output === undefined || ['table', 'wide'].includes(said.output);
    if (chosen.length === 0 && isForPeople) {
      return progress.note('There are no virtual nodes');
    }
    const { columns } = around.stdout;
    const terms = { nowMs: around.clock.now(), columns, isList: operands.length === 0 };
    print(render(said.output ?? 'table', chosen, terms));
  },
});

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
