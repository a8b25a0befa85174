import { tenantNamespaceName } from '@liqo/api';
import { Namespace, Secret } from '@liqo/kube';
import { forgeNonceSecret, forgeTenantNamespace } from '@liqo/model';
import { defineCommand, noOperands } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { remoteClusterIDFlag } from '../flags/peering-flags.ts';
import {
  connectionFlags,
  liqoNamespaceFlag,
  namespaceFlag,
  outputFlag,
  timeoutFlag,
} from '../flags/shared-flags.ts';
import { renderManifests } from '../output/render-objects.ts';
import { ensureNonce } from '../peering/nonce.ts';
import { openSide, stepContext } from '../peering/open-side.ts';
import { ensureTenantNamespace } from '../peering/tenant-namespace.ts';

const flags = {
  ...remoteClusterIDFlag('the consumer that will sign the nonce'),
  ...timeoutFlag('2m', 'how long it waits for the nonce'),
  ...outputFlag(['json', 'yaml'], 'prints the manifests, and creates nothing'),
  ...namespaceFlag('the name of the tenant namespace, if it does not exist yet'),
  ...liqoNamespaceFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const createNonce = defineCommand({
  path: ['create', 'nonce'],
  summary: 'has this cluster make a nonce for a consumer',
  description:
    'Creates the tenant namespace and the Secret for a nonce, and waits until the nonce is there. The consumer proves its\n' +
    'key by signing it. Run it at the provider; liqoctl authenticate does this by itself.',
  examples: [
    'liqoctl create nonce --remote-cluster-id rome',
    'liqoctl create nonce --remote-cluster-id rome -o yaml',
  ],
  operands: noOperands,
  flags,
  async run(call) {
    const { flags: said, print, progress, stamp, suggest } = call;
    const peer = said['remote-cluster-id'];
    if (said.output) {
      const name = said.namespace ?? tenantNamespaceName(peer);
      const forged = forgeTenantNamespace(peer);
      const namespace = { ...forged, metadata: { ...forged.metadata, name } };
      const manifests = [
        [Namespace, stamp(namespace)],
        [Secret, stamp(forgeNonceSecret(peer, name))],
      ] as const;
      return print(renderManifests(manifests, said.output));
    }
    const line = suggest(`create nonce --remote-cluster-id ${peer}`);
    const hint = `Run it again to go on: ${line}`;
    const context = stepContext(call, { timeoutMs: said.timeout, hint });
    const side = await openSide(call, said, { doing: `make a nonce for "${peer}"`, peer });
    const namespace = await ensureTenantNamespace(context, side, peer);
    const nonce = await ensureNonce(context, side, { consumerID: peer, namespace });
    progress.note(`Nonce: ${nonce}`);
  },
});
