import { Identity, Tenant, tenantNamespaceName } from '@liqo/api';
import { checkDnsLabel } from '@liqo/kube';
import { forgeControlPlaneIdentity } from '@liqo/model';
import { defineCommand, noOperands } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { remoteClusterIDFlag } from '../flags/peering-flags.ts';
import {
  connectionFlags,
  liqoNamespaceFlag,
  namespaceFlag,
  outputFlag,
} from '../flags/shared-flags.ts';
import { renderManifests } from '../output/render-objects.ts';
import { notYetReady } from '../peering/not-yet-ready.ts';
import { openSide } from '../peering/open-side.ts';
import { findNamespaceOf } from '../peering/tenant-namespace.ts';
import { UserError } from '../user-error.ts';

const flags = {
  ...remoteClusterIDFlag('the consumer that the Identity is for'),
  'remote-tenant-namespace': {
    type: 'text',
    value: 'NAME',
    check: checkDnsLabel,
    help: 'the tenant namespace of this cluster at the consumer, if it has another name than usual',
  },
  ...outputFlag(['yaml', 'json'], 'how the manifest is printed; yaml by default'),
  ...namespaceFlag('where the Tenant is, if not in the tenant namespace of the consumer'),
  ...liqoNamespaceFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const generateIdentity = defineCommand({
  path: ['generate', 'identity'],
  summary: 'prints the Identity that this cluster issued to a consumer',
  description:
    'Prints the Identity of a consumer whose Tenant this cluster, the provider, has accepted; it is to be applied at the\n' +
    'consumer. It holds a certificate and no key.',
  examples: ['liqoctl generate identity --remote-cluster-id rome > identity.yaml'],
  operands: noOperands,
  flags,
  async run(call) {
    const { flags: said, print, signal, stamp } = call;
    const consumer = said['remote-cluster-id'];
    const doing = `generate the Identity for "${consumer}"`;
    const side = await openSide(call, said, { doing, peer: consumer });
    const namespace = said.namespace ?? (await findNamespaceOf(side, consumer, signal));
    const key = { namespace: namespace ?? tenantNamespaceName(consumer), name: consumer };
    const tenant = await attempt(doing, side.client.get(Tenant, key, signal));
    const { tenantNamespace, authParams } = tenant?.status ?? {};
    if (!tenantNamespace || !authParams) throw notAccepted(doing, consumer, tenant);
    const identity = forgeControlPlaneIdentity({
      provider: side.clusterID,
      tenantNamespace: said['remote-tenant-namespace'] ?? tenantNamespaceName(side.clusterID),
      remoteNamespace: tenantNamespace,
      authParams,
    });
    print(renderManifests([[Identity, stamp(identity)]], said.output ?? 'yaml'));
  },
});

function notAccepted(doing: string, consumer: string, tenant: Tenant | undefined): UserError {
  if (!tenant) {
    const hint = `Apply the Tenant that "liqoctl generate tenant" prints at "${consumer}"`;
    return new UserError(`Cannot ${doing}: there is no Tenant of that name`, { hint });
  }
  const statuses = { type: 'Authentication', good: 'Accepted', refused: 'Denied' };
  const problem = notYetReady(tenant, statuses);
  const why = problem && 'notYet' in problem ? problem.notYet : 'its Tenant has no credentials yet';
  const hint = 'Remove the cause, and run it again';
  return new UserError(`Cannot ${doing}: ${why}`, { hint });
}
