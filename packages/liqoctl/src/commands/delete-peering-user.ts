import { labels } from '@liqo/api';
import { CertificateSigningRequest, checkDnsLabel, RoleBinding } from '@liqo/kube';
import { defineCommand, noOperands } from '../command.ts';
import { confirmAtTerminal } from '../confirm.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { connectionFlags, skipConfirmFlag } from '../flags/shared-flags.ts';
import { stepContext } from '../peering/open-side.ts';
import { removeObject } from '../peering/remove-object.ts';
import { peeringUserNames } from '../peering-user/names.ts';

const flags = {
  'consumer-cluster-id': {
    type: 'text',
    value: 'ID',
    required: true,
    check: checkDnsLabel,
    help: 'the consumer that the peering user is for',
  },
  ...skipConfirmFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const deletePeeringUser = defineCommand({
  path: ['delete', 'peering-user'],
  summary: 'makes the kubeconfig of a peering user useless',
  description:
    'Takes the rights of the peering user of a consumer away. Peerings that were made with it stay. Run it at the provider.',
  examples: ['liqoctl delete peering-user --consumer-cluster-id rome'],
  operands: noOperands,
  flags,
  async run(call) {
    const { flags: said, progress, signal, suggest } = call;
    const consumerID = said['consumer-cluster-id'];
    const { user } = peeringUserNames(consumerID);
    const { client } = await call.connect();
    const again = suggest(`delete peering-user --consumer-cluster-id ${consumerID}`);
    const context = stepContext(call, { timeoutMs: 30_000, hint: `Go on with ${again}` });
    const site = { client, clusterID: 'this cluster' };
    const selection = { labelSelector: `${labels.peeringUserName}=${user}`, signal };
    const doing = `delete the peering user for "${consumerID}"`;
    const bindings = await attempt(doing, client.list(RoleBinding, selection));
    if (bindings.items.length > 0) {
      const warning = `The kubeconfig of the peering user for "${consumerID}" will be useless.`;
      await confirmAtTerminal(call, { doing, warning });
    }
    for (const object of bindings.items) {
      await removeObject(context, site, { kind: RoleBinding, object });
    }
    const requests = await attempt(doing, client.list(CertificateSigningRequest, selection));
    for (const object of requests.items) {
      await removeObject(context, site, { kind: CertificateSigningRequest, object });
    }
    const isNone = bindings.items.length + requests.items.length === 0;
    progress.note(
      isNone
        ? `There is no peering user for "${consumerID}"`
        : `The kubeconfig of the peering user for "${consumerID}" is useless from now on`,
    );
  },
});
