import { defineCommand, noOperands } from '../command.ts';
import { confirmAtTerminal } from '../confirm.ts';
import type { FlagTable } from '../flags/flag.ts';
import { twoClusterFlags, waitFlag } from '../flags/peering-flags.ts';
import { checkRemoteChosen, skipConfirmFlag, timeoutFlag } from '../flags/shared-flags.ts';
import { openPeering } from '../peering/open-peering.ts';
import { unauthenticate } from '../peering/unauthenticate.ts';

const flags = {
  ...waitFlag('waits until the Identity and the Tenant are gone'),
  ...timeoutFlag('2m', 'how long it waits for the two clusters in all'),
  ...skipConfirmFlag,
  ...twoClusterFlags,
} as const satisfies FlagTable;

export const unauthenticateCommand = defineCommand({
  path: ['unauthenticate'],
  summary: 'takes back the identity of this cluster at a provider',
  description:
    'Deletes the Identity of this cluster, the consumer, and its Tenant in the remote cluster, the provider. It refuses as long\n' +
    'as there are ResourceSlices; liqoctl unpeer removes those as well.',
  examples: ['liqoctl unauthenticate --remote-kubeconfig milan.kubeconfig'],
  operands: noOperands,
  flags,
  check: ({ given }) => checkRemoteChosen(given),
  async run(call) {
    const { flags: said, suggestBoth } = call;
    const hint = `Run it again to go on, or restore it with ${suggestBoth('authenticate')}`;
    const doing = 'end the authentication of the consumer at the provider';
    const peering = await openPeering(call, { flags: said, doing, hint });
    const { consumer, provider } = peering;
    const warning = `"${consumer.clusterID}" will lose its identity at "${provider.clusterID}".`;
    await confirmAtTerminal(call, { doing, warning });
    await unauthenticate(peering, { waits: said.wait });
  },
});
