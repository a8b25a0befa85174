import { defineCommand, noOperands } from '../command.ts';
import { confirmAtTerminal } from '../confirm.ts';
import type { FlagTable } from '../flags/flag.ts';
import { twoClusterFlags, waitFlag } from '../flags/peering-flags.ts';
import { checkRemoteChosen, skipConfirmFlag, timeoutFlag } from '../flags/shared-flags.ts';
import { openPeering } from '../peering/open-peering.ts';
import { unpeer } from '../peering/unpeer.ts';

const flags = {
  'delete-namespaces': {
    type: 'boolean',
    help: 'also deletes the tenant namespaces of both clusters',
  },
  ...waitFlag('waits until the slices and virtual nodes are gone'),
  ...timeoutFlag('2m', 'how long it waits for the two clusters in all'),
  ...skipConfirmFlag,
  ...twoClusterFlags,
} as const satisfies FlagTable;

export const unpeerCommand = defineCommand({
  path: ['unpeer'],
  summary: 'ends the peering of this cluster with a provider',
  description:
    'Removes what this cluster, the consumer, has at the remote cluster, the provider: ResourceSlices, virtual nodes with their\n' +
    'pods, and the identity. It may be repeated after any interruption, and ends any half of a peering. If the provider is\n' +
    'gone for good, liqoctl force unpeer does without it.',
  examples: [
    'liqoctl unpeer --remote-kubeconfig milan.kubeconfig',
    'liqoctl unpeer --context rome --remote-context milan --delete-namespaces',
  ],
  operands: noOperands,
  flags,
  check: ({ given }) => checkRemoteChosen(given),
  async run(call) {
    const { flags: said, suggest } = call;
    const hint = `Run it again to go on; if the provider is gone for good, end it with ${suggest('force unpeer ID')}`;
    const doing = 'unpeer the two clusters';
    const peering = await openPeering(call, { flags: said, doing, hint, ignoresNames: true });
    const { consumer, provider } = peering;
    const warning = `All that "${consumer.clusterID}" has at "${provider.clusterID}" will be removed, the pods that run there too.`;
    await confirmAtTerminal(call, { doing, warning });
    await unpeer(peering, { deletesNamespaces: said['delete-namespaces'], waits: said.wait });
  },
});
