import { ResourceSlice } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { findResourceSlice } from '../cluster/find-resource-slice.ts';
import { defineCommand } from '../command.ts';
import { confirmAtTerminal } from '../confirm.ts';
import type { FlagTable } from '../flags/flag.ts';
import {
  checkOnePlace,
  connectionFlags,
  namespaceFlag,
  skipConfirmFlag,
  soughtInAllNamespacesFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import { stepContext } from '../peering/open-side.ts';
import { removeObject } from '../peering/remove-object.ts';

const flags = {
  'no-wait': { type: 'boolean', help: 'does not wait until it is gone' },
  ...timeoutFlag('2m', 'how long it waits until it is gone'),
  ...namespaceFlag('where it is, if there are several of that name'),
  ...soughtInAllNamespacesFlag,
  ...skipConfirmFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const deleteResourceSlice = defineCommand({
  path: ['delete', 'resourceslice'],
  summary: 'gives the resources of slices back',
  description:
    'Deletes ResourceSlices of this cluster, the consumer, and waits until the provider has removed its copies. The virtual nodes\n' +
    'that were made of them go with them. If one of several names is not found, nothing is deleted.',
  examples: ['liqoctl delete resourceslice mypool', 'liqoctl delete resourceslice one two'],
  operands: { placeholder: 'NAME', least: 1, most: 100, completes: 'resourceslices' },
  flags,
  check: ({ flags: said }) => checkOnePlace(said),
  async run(call) {
    const { operands, flags: said, suggest } = call;
    const { namespace } = said;
    const { client } = await call.connect();
    const objects: Stored<ResourceSlice>[] = [];
    for (const name of new Set(operands)) {
      const doing = `delete the ResourceSlice "${name}"`;
      const wanted = { name, namespace, role: 'original', doing } as const;
      objects.push(await findResourceSlice(call, client, wanted));
    }
    const names = objects.map(({ metadata }) => `"${metadata.name}"`).join(', ');
    const warning = `The resources of ${names} will be given back, and the pods that use them evicted.`;
    await confirmAtTerminal(call, { doing: `delete ${names}`, warning });
    for (const object of objects) {
      const look = suggest(`get resourceslice ${object.metadata.name}`);
      const hint = `It goes on without liqoctl; see how far it is: ${look}`;
      const context = stepContext(call, { timeoutMs: said.timeout, hint });
      const removal = { kind: ResourceSlice, object, waits: !said['no-wait'] };
      await removeObject(context, { client, clusterID: 'this cluster' }, removal);
    }
  },
});
