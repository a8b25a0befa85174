import { defineCommand, noOperands } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { remoteClusterIDFlag } from '../flags/peering-flags.ts';
import { connectionFlags, liqoNamespaceFlag, namespaceFlag } from '../flags/shared-flags.ts';
import { nonceOf, readNonceSecret } from '../peering/nonce.ts';
import { openSide } from '../peering/open-side.ts';
import { findNamespaceOf } from '../peering/tenant-namespace.ts';
import { UserError } from '../user-error.ts';

const flags = {
  ...remoteClusterIDFlag('the consumer that the nonce is for'),
  ...namespaceFlag('where the nonce is, if not in the tenant namespace of the consumer'),
  ...liqoNamespaceFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const getNonce = defineCommand({
  path: ['get', 'nonce'],
  summary: 'prints the nonce that this cluster made for a consumer',
  description: 'Prints the nonce alone, without a line break. Run it at the provider.',
  examples: ['liqoctl get nonce --remote-cluster-id rome'],
  operands: noOperands,
  flags,
  async run(call) {
    const { flags: said, print, signal, suggest } = call;
    const peer = said['remote-cluster-id'];
    const doing = `get the nonce for "${peer}"`;
    const side = await openSide(call, said, { doing, peer });
    const namespace = said.namespace ?? (await findNamespaceOf(side, peer, signal));
    const create = suggest(`create nonce --remote-cluster-id ${peer}`);
    if (namespace === undefined) {
      const why = 'there is no tenant namespace about that cluster';
      throw new UserError(`Cannot ${doing}: ${why}`, { hint: `Have one made: ${create}` });
    }
    const place = { consumerID: peer, namespace };
    const secret = await attempt(doing, readNonceSecret(side, place, signal));
    const nonce = nonceOf(secret);
    if (nonce !== undefined) return print(nonce);
    const why = secret ? 'it is not generated yet' : `there is none in "${namespace}"`;
    throw new UserError(`Cannot ${doing}: ${why}`, { hint: `Have one made: ${create}` });
  },
});
