import { checkDnsLabel } from '@liqo/kube';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  connectionFlags,
  liqoNamespaceFlag,
  skipConfirmFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import { findRemains, forceUnpeer } from '../peering/force-unpeer.ts';
import { openSide, stepContext } from '../peering/open-side.ts';

const flags = {
  ...timeoutFlag('2m', 'how long it waits until all is gone'),
  ...skipConfirmFlag,
  ...liqoNamespaceFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const forceUnpeerCommand = defineCommand({
  path: ['force', 'unpeer'],
  summary: 'ends a peering without the other cluster, which is gone for good',
  description:
    'Marks a peer as gone for good, so that nothing waits for it, and removes all that this cluster has about it. What the\n' +
    'peer may still have of this cluster stays there. For a peer that answers, use liqoctl unpeer.',
  examples: ['liqoctl force unpeer milan'],
  operands: { placeholder: 'ID', least: 1, most: 1 },
  flags,
  check: ({ operands: [id = ''] }) => checkDnsLabel(id).map((fault) => `the ID "${id}" ${fault}`),
  async run(call) {
    const { operands, flags: said, progress, signal } = call;
    const [peer = ''] = operands;
    const doing = `unpeer "${peer}"`;
    const side = await openSide(call, said, { doing, peer });
    const remains = await findRemains(side, peer, signal);
    if (!said['skip-confirm']) {
      const warning = `All that this cluster has about "${peer}" will be removed; what "${peer}" has of this cluster will stay there.`;
      await confirm(call, { doing: `force ${doing}`, warning });
    }
    const hint = 'Run it again to go on: the controllers of this cluster complete what is marked';
    const context = stepContext(call, { timeoutMs: said.timeout, hint });
    await forceUnpeer(context, side, remains);
    progress.note(`This cluster has nothing left about "${peer}"`);
  },
});
