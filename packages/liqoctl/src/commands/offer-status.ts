import { Advertisement, ClusterConfig, fixedNames } from '@liqo/api';
import { isOwnOffer } from '../cluster/find-advertisement.ts';
import { defineCommand, noOperands } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags } from '../flags/shared-flags.ts';
import { renderAdvertisements } from '../output/render-advertisements.ts';

const flags = { ...connectionFlags } as const satisfies FlagTable;

export const offerStatus = defineCommand({
  path: ['offer', 'status'],
  summary: 'shows what this cluster offers, and what consumers decided',
  description:
    'Prints the offers of this cluster, the provider, with the answers of its consumers.',
  examples: ['liqoctl offer status'],
  operands: noOperands,
  flags,
  async run({ signal, connect, print, progress, around, suggest }) {
    const { client } = await connect();
    const doing = 'see what is offered';
    const key = { name: fixedNames.clusterConfig };
    const config = await attempt(doing, client.get(ClusterConfig, key, signal));
    const { items } = await attempt(doing, client.list(Advertisement, signal));
    const offers = items.filter(isOwnOffer);
    const { outgoingConfig } = config?.spec.advertisementConfig ?? {};
    if (!outgoingConfig?.enableBroadcaster) {
      progress.note(`This cluster offers nothing: enable it with ${suggest('offer enable')}`);
    } else {
      const { resourceSharingPercentage: share } = outgoingConfig;
      progress.note(`This cluster offers each consumer ${share} % of what is free`);
    }
    if (offers.length === 0) return;
    const { columns } = around.stdout;
    const nowMs = around.clock.now();
    print(renderAdvertisements(offers, { of: 'this cluster', nowMs, columns }));
  },
});
