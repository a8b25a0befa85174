import { Advertisement } from '@liqo/api';
import { isOwnOffer } from '../cluster/find-advertisement.ts';
import { defineCommand, noOperands } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, outputFlag } from '../flags/shared-flags.ts';
import { renderAdvertisements } from '../output/render-advertisements.ts';
import { renderJson, renderNames, renderYaml } from '../output/render-objects.ts';

const flags = {
  ...outputFlag(['table', 'json', 'yaml', 'name'], 'how they are printed'),
  ...connectionFlags,
} as const satisfies FlagTable;

export const listAdvertisements = defineCommand({
  path: ['advertisement', 'list'],
  summary: 'shows what providers offer, and what was decided',
  description: 'Prints the Advertisements of the providers of this cluster, the consumer.',
  examples: ['liqoctl advertisement list', 'liqoctl adv list -o yaml'],
  operands: noOperands,
  flags,
  async run({ flags: said, signal, connect, print, progress, around }) {
    const { client } = await connect();
    const { items } = await attempt('list Advertisements', client.list(Advertisement, signal));
    const offers = items.filter((one) => !isOwnOffer(one));
    const format = said.output ?? 'table';
    if (format === 'json') return print(renderJson(offers, { isList: true }));
    if (format === 'yaml') return print(renderYaml(offers));
    if (format === 'name') return print(renderNames(Advertisement, offers));
    if (offers.length === 0) return progress.note('No provider offers anything');
    const { columns } = around.stdout;
    const nowMs = around.clock.now();
    print(renderAdvertisements(offers, { of: 'providers', nowMs, columns }));
  },
});
