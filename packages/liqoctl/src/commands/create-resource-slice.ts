import { fixedNames, ResourceSlice } from '@liqo/api';
import { checkDnsSubdomain } from '@liqo/kube';
import { findTenantNamespace } from '../cluster/find-tenant-namespace.ts';
import { defineCommand } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { remoteClusterIDFlag } from '../flags/peering-flags.ts';
import {
  connectionFlags,
  globalMetadataFlags,
  liqoNamespaceFlag,
  namespaceFlag,
  outputFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import {
  checkClass,
  checkResources,
  resourcesSaid,
  sliceResourceFlags,
} from '../flags/slice-flags.ts';
import { forgeResourceSlice } from '../forge-resource-slice.ts';
import { renderManifests } from '../output/render-objects.ts';
import { openSide, stepContext } from '../peering/open-side.ts';
import { ensureSlice } from '../peering/slice.ts';

const flags = {
  ...remoteClusterIDFlag('the provider'),
  class: {
    type: 'text',
    value: 'CLASS',
    default: fixedNames.defaultResourceSliceClass,
    check: checkClass,
    help: 'who decides at the provider what is granted',
  },
  ...sliceResourceFlags,
  'no-virtual-node': { type: 'boolean', help: 'makes no virtual node of the resources' },
  ...timeoutFlag('2m', 'how long it waits for the answer of the provider'),
  ...outputFlag(['json', 'yaml'], 'prints the manifest, and creates nothing'),
  ...namespaceFlag('where it is made, if not in the tenant namespace of the provider'),
  ...liqoNamespaceFlag,
  ...globalMetadataFlags,
  ...connectionFlags,
} as const satisfies FlagTable;

export const createResourceSlice = defineCommand({
  path: ['create', 'resourceslice'],
  summary: 'asks a provider for resources',
  description:
    'Creates a ResourceSlice, or changes the one of that name, and waits for the answer of the provider. A virtual node is made\n' +
    'of what it grants. What is not asked for by name, the provider decides.',
  examples: [
    'liqoctl create resourceslice mypool --remote-cluster-id milan --cpu 4 --memory 8Gi --pods 50',
    'liqoctl create resourceslice mypool --remote-cluster-id milan --resource nvidia.com/gpu=2',
    'liqoctl create resourceslice mypool --remote-cluster-id milan --no-virtual-node -o yaml',
  ],
  operands: { placeholder: 'NAME', least: 1, most: 1 },
  flags,
  check: ({ operands: [name = ''], flags: said }) => [
    ...checkDnsSubdomain(name).map((fault) => `the name "${name}" ${fault}`),
    ...checkResources(said),
  ],
  async run(call) {
    const { operands, flags: said, print, suggest } = call;
    const [name = ''] = operands;
    const providerID = said['remote-cluster-id'];
    const findNamespace = async () =>
      findTenantNamespace(call, (await call.connect()).client, providerID);
    const wishes = {
      name,
      namespace: said.namespace ?? (await findNamespace()),
      providerID,
      class: said.class,
      resources: resourcesSaid(said),
      createVirtualNode: !said['no-virtual-node'],
      globalLabels: said['global-labels'],
      globalAnnotations: said['global-annotations'],
    };
    if (said.output) {
      return print(renderManifests([[ResourceSlice, forgeResourceSlice(wishes)]], said.output));
    }
    const doing = `create the ResourceSlice "${name}"`;
    const side = await openSide(call, said, { doing, peer: providerID });
    const hint = `It goes on without liqoctl; see it with "${suggest(`get resourceslice ${name}`)}", or remove it with ${suggest(`delete resourceslice ${name}`)}`;
    const context = stepContext(call, { timeoutMs: said.timeout, hint });
    await ensureSlice(context, side, wishes);
  },
});
