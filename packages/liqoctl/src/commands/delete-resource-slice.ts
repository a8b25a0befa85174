import { ResourceSlice } from '@liqo/api';
import { findResourceSlice } from '../cluster/find-resource-slice.ts';
import { defineCommand } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, namespaceFlag, timeoutFlag } from '../flags/shared-flags.ts';
import { stepContext } from '../peering/open-side.ts';
import { removeObject } from '../peering/remove-object.ts';

const flags = {
  'no-wait': { type: 'boolean', help: 'does not wait until it is gone' },
  ...timeoutFlag('2m', 'how long it waits until it is gone'),
  ...namespaceFlag('where it is, if there are several of that name'),
  ...connectionFlags,
} as const satisfies FlagTable;

export const deleteResourceSlice = defineCommand({
  path: ['delete', 'resourceslice'],
  summary: 'gives the resources of a slice back',
  description:
    'Deletes a ResourceSlice of this cluster, the consumer, and waits until the provider has removed its copy. The virtual node\n' +
    'that was made of it goes with it.',
  examples: ['liqoctl delete resourceslice mypool'],
  operands: { placeholder: 'NAME', least: 1, most: 1, completes: 'resourceslices' },
  flags,
  async run(call) {
    const { operands, flags: said, suggest } = call;
    const [name = ''] = operands;
    const { namespace } = said;
    const { client } = await call.connect();
    const doing = `delete the ResourceSlice "${name}"`;
    const wanted = { name, namespace, role: 'original', doing } as const;
    const object = await findResourceSlice(call, client, wanted);
    const hint = `It goes on without liqoctl; see how far it is: ${suggest(`get resourceslice ${name}`)}`;
    const context = stepContext(call, { timeoutMs: said.timeout, hint });
    const removal = { kind: ResourceSlice, object, waits: !said['no-wait'] };
    await removeObject(context, { client, clusterID: 'this cluster' }, removal);
  },
});
