import { defineCommand, noOperands } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { inBandFlag, proxyUrlFlag, refuseInBand, twoClusterFlags } from '../flags/peering-flags.ts';
import { checkRemoteChosen, timeoutFlag } from '../flags/shared-flags.ts';
import { authenticate } from '../peering/authenticate.ts';
import { openPeering } from '../peering/open-peering.ts';

const flags = {
  ...proxyUrlFlag,
  ...inBandFlag,
  ...timeoutFlag('2m', 'how long it waits for the two clusters in all'),
  ...twoClusterFlags,
} as const satisfies FlagTable;

export const authenticateCommand = defineCommand({
  path: ['authenticate'],
  summary: 'gives this cluster an identity at a provider',
  description:
    'Has the two clusters shake hands: this one, the consumer, proves its key, and the remote one, the provider, issues it an\n' +
    'identity for its control plane. It may be repeated after any interruption; liqoctl peer does it by itself.',
  examples: [
    'liqoctl authenticate --remote-kubeconfig milan.kubeconfig',
    'liqoctl authenticate --context rome --remote-context milan --timeout 5m',
  ],
  operands: noOperands,
  flags,
  check: ({ flags: said, given }) => [...checkRemoteChosen(given), ...refuseInBand(said)],
  async run(call) {
    const { flags: said, suggestBoth } = call;
    const hint = `Run it again to go on, or undo it with ${suggestBoth('unauthenticate')}`;
    const doing = 'authenticate the consumer at the provider';
    const peering = await openPeering(call, { flags: said, doing, hint });
    await authenticate(peering, { proxyURL: said['proxy-url'] });
  },
});
