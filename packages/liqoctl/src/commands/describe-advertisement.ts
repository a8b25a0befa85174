import type { Advertisement } from '@liqo/api';
import { oneLine, type Stored } from '@liqo/kube';
import { findAdvertisement } from '../cluster/find-advertisement.ts';
import { defineCommand } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags } from '../flags/shared-flags.ts';
import { type Box, type Row, renderBoxes } from '../output/render-boxes.ts';

const flags = { ...connectionFlags } as const satisfies FlagTable;

export const describeAdvertisement = defineCommand({
  path: ['advertisement', 'describe'],
  summary: 'shows an offer of a provider, and what it waits for',
  description:
    'Prints what a provider offers, what was decided about it and why, and every condition of the offer.',
  examples: ['liqoctl advertisement describe milan'],
  operands: { placeholder: 'PROVIDER', least: 1, most: 1 },
  flags,
  async run(call) {
    const [named = ''] = call.operands;
    const { client } = await call.connect();
    const doing = `describe the offer of "${named}"`;
    const offer = await findAdvertisement(call, client, { named, doing });
    call.print(renderBoxes(boxesOf(offer), call.around.stdout.columns));
  },
});

function boxesOf({ metadata, spec, status }: Stored<Advertisement>): readonly Box[] {
  const { decision, conditions = [], expirationTime = '', lastRefreshTime = '' } = status ?? {};
  const resources = Object.entries(spec.resourceQuota.hard ?? {}).toSorted();
  return [
    {
      title: 'Advertisement',
      rows: [
        ['Provider', spec.providerClusterID],
        ['Namespace', metadata.namespace ?? ''],
        ['Refreshed', lastRefreshTime],
        ['Expires', expirationTime],
        {
          heading: 'Resources',
          rows: resources.map(([name, amount]): Row => [oneLine(name), oneLine(String(amount))]),
        },
      ],
    },
    {
      title: 'Decision',
      rows: [
        ['Status', status?.phase ?? 'Pending'],
        ['Decided by', decision?.source ?? ''],
        ['Reason', decision?.reason ?? ''],
        ['Virtual node', status?.virtualNodeRef?.name ?? ''],
        ...conditions.map(
          ({ type, status: is, reason, message }): Row => ({
            heading: `${type}: ${is}`,
            rows: [[reason, oneLine(message)]],
          }),
        ),
      ],
    },
  ];
}
