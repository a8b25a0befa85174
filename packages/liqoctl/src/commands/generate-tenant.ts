import { Tenant, tenantNamespaceName } from '@liqo/api';
import { checkDnsLabel } from '@liqo/kube';
import { isNonce } from '@liqo/model';
import { defineCommand, noOperands } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { proxyUrlFlag, remoteClusterIDFlag } from '../flags/peering-flags.ts';
import {
  connectionFlags,
  liqoNamespaceFlag,
  namespaceFlag,
  outputFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import { renderManifests } from '../output/render-objects.ts';
import { forgeOwnTenant } from '../peering/forge-own-tenant.ts';
import { openSide, stepContext } from '../peering/open-side.ts';
import { ensureSignedNonce } from '../peering/signed-nonce.ts';
import { ensureTenantNamespace } from '../peering/tenant-namespace.ts';

const flags = {
  ...remoteClusterIDFlag('the provider that the Tenant is for'),
  nonce: {
    type: 'text',
    value: 'NONCE',
    required: true,
    check: (text: string) =>
      isNonce(text) ? [] : ['is not a nonce: print it with "liqoctl get nonce" at the provider'],
    help: 'the nonce of the provider, as "liqoctl get nonce" prints it there',
  },
  'remote-tenant-namespace': {
    type: 'text',
    value: 'NAME',
    check: checkDnsLabel,
    help: 'the tenant namespace of this cluster at the provider, if it has another name than usual',
  },
  ...proxyUrlFlag,
  ...timeoutFlag('2m', 'how long it waits for the signature'),
  ...outputFlag(['yaml', 'json'], 'how the manifest is printed; yaml by default'),
  ...namespaceFlag('the tenant namespace of this cluster, if it does not exist yet'),
  ...liqoNamespaceFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const generateTenant = defineCommand({
  path: ['generate', 'tenant'],
  summary: 'prints the Tenant with which this cluster proves its key to a provider',
  description:
    'Has this cluster, the consumer, sign the nonce of a provider, and prints the Tenant to be applied there. Only the tenant\n' +
    'namespace and the Secret for the signature are made, in this cluster. The private key is in neither.',
  examples: [
    'liqoctl generate tenant --remote-cluster-id milan --nonce "$(cat nonce)" > tenant.yaml',
  ],
  operands: noOperands,
  flags,
  async run(call) {
    const { flags: said, print, stamp } = call;
    const provider = said['remote-cluster-id'];
    const doing = `generate the Tenant for "${provider}"`;
    const side = await openSide(call, said, { doing, peer: provider });
    const hint = 'Run it again to go on';
    const context = stepContext(call, { timeoutMs: said.timeout, hint });
    const namespace = await ensureTenantNamespace(context, side, provider);
    const { nonce } = said;
    const request = { providerID: provider, namespace, nonce };
    const { signature, keys } = await ensureSignedNonce(context, side, request);
    const tenant = await forgeOwnTenant({
      consumerID: side.clusterID,
      namespace: said['remote-tenant-namespace'] ?? tenantNamespaceName(side.clusterID),
      keys,
      signature,
      proxyURL: said['proxy-url'],
    });
    print(renderManifests([[Tenant, stamp(tenant)]], said.output ?? 'yaml'));
  },
});
