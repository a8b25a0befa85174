import { fixedNames } from '@liqo/api';
import { defineCommand, type Invocation, noOperands } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { networkFlags, networkNotice } from '../flags/network-flags.ts';
import { inBandFlag, proxyUrlFlag, refuseInBand, twoClusterFlags } from '../flags/peering-flags.ts';
import { checkRemoteChosen, timeoutFlag } from '../flags/shared-flags.ts';
import {
  checkClass,
  checkResources,
  resourcesSaid,
  sliceResourceFlags,
} from '../flags/slice-flags.ts';
import { openPeering } from '../peering/open-peering.ts';
import { peer } from '../peering/peer.ts';

const flags = {
  'create-resource-slice': {
    type: 'boolean',
    default: 'true',
    help: 'whether it asks the provider for resources',
  },
  'resource-slice-class': {
    type: 'text',
    value: 'CLASS',
    default: fixedNames.defaultResourceSliceClass,
    check: checkClass,
    help: 'who decides at the provider what is granted',
  },
  'create-virtual-node': {
    type: 'boolean',
    default: 'true',
    help: 'whether a virtual node is made of the resources',
  },
  ...sliceResourceFlags,
  ...networkFlags,
  ...proxyUrlFlag,
  ...inBandFlag,
  ...timeoutFlag('10m', 'how long it waits for the two clusters in all'),
  ...twoClusterFlags,
} as const satisfies FlagTable;

type Call = Invocation<typeof flags>;

export const peerCommand = defineCommand({
  path: ['peer'],
  summary: 'makes this cluster a consumer of a provider',
  description:
    'Authenticates this cluster, the consumer, at the remote cluster, the provider, and asks it for resources, of which a\n' +
    'virtual node is made. It may be repeated after any interruption, and with other resources; liqoctl unpeer undoes it.',
  examples: [
    'liqoctl peer --remote-kubeconfig milan.kubeconfig',
    'liqoctl peer --context rome --remote-context milan --cpu 4 --memory 8Gi --pods 50',
    'liqoctl peer --remote-kubeconfig milan.kubeconfig --create-resource-slice=false',
  ],
  operands: noOperands,
  flags,
  check: ({ flags: said, given }) => [
    ...checkRemoteChosen(given),
    ...refuseInBand(said),
    ...checkResources(said),
    ...refuseIdleFlags({ flags: said, given }),
  ],
  async run(call) {
    const { flags: said, given, progress, suggestBoth } = call;
    const notice = networkNotice(given);
    if (notice !== undefined) progress.note(notice);
    const hint = `Run it again to go on, or undo it with ${suggestBoth('unpeer')}`;
    const doing = 'peer the two clusters';
    const peering = await openPeering(call, { flags: said, doing, hint, ignoresNames: true });
    const slice = {
      class: said['resource-slice-class'],
      resources: resourcesSaid(said),
      createVirtualNode: said['create-virtual-node'],
    };
    await peer(peering, {
      proxyURL: said['proxy-url'],
      ...(said['create-resource-slice'] && { slice }),
    });
  },
});

/** Without a slice, what is said about it would be lost without a word. */
function refuseIdleFlags({ flags: said, given }: Pick<Call, 'flags' | 'given'>): readonly string[] {
  if (said['create-resource-slice']) return [];
  const idle = ['resource-slice-class', ...Object.keys(sliceResourceFlags)].filter((name) =>
    given.has(name),
  );
  return idle.map(
    (name) => `"--${name}" needs a slice, and "--create-resource-slice=false" asks for none`,
  );
}
