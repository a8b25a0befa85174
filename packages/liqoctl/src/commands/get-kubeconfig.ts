import { Identity } from '@liqo/api';
import { checkDnsSubdomain, Secret } from '@liqo/kube';
import { defineCommand } from '../command.ts';
import { attempt } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { remoteClusterIDFlag } from '../flags/peering-flags.ts';
import { connectionFlags, liqoNamespaceFlag, namespaceFlag } from '../flags/shared-flags.ts';
import { openSide } from '../peering/open-side.ts';
import { findNamespaceOf } from '../peering/tenant-namespace.ts';
import { UserError } from '../user-error.ts';

const flags = {
  ...remoteClusterIDFlag('the provider that the Identity is of'),
  ...namespaceFlag('where the Identity is, if not in the tenant namespace of the provider'),
  ...liqoNamespaceFlag,
  ...connectionFlags,
} as const satisfies FlagTable;

export const getKubeconfig = defineCommand({
  path: ['get', 'kubeconfig'],
  summary: 'prints the kubeconfig of an Identity of this cluster at a provider',
  description:
    'Prints the kubeconfig that this cluster, the consumer, made of an Identity. It holds the private key of this cluster: keep\n' +
    'it as you keep that.',
  examples: [
    'liqoctl get kubeconfig controlplane-milan --remote-cluster-id milan > milan.kubeconfig',
  ],
  operands: { placeholder: 'IDENTITY', least: 1, most: 1 },
  flags,
  check: ({ operands: [name = ''] }) =>
    checkDnsSubdomain(name).map((fault) => `the name "${name}" ${fault}`),
  async run(call) {
    const { operands, flags: said, print, signal, suggest } = call;
    const [name = ''] = operands;
    const provider = said['remote-cluster-id'];
    const doing = `get the kubeconfig of the Identity "${name}"`;
    const side = await openSide(call, said, { doing, peer: provider });
    const namespace = said.namespace ?? (await findNamespaceOf(side, provider, signal));
    if (namespace === undefined) {
      const why = `there is no tenant namespace about "${provider}"`;
      const hint = `Check --remote-cluster-id; the peers are listed by ${suggest('info')}`;
      throw new UserError(`Cannot ${doing}: ${why}`, { hint });
    }
    const identity = await attempt(doing, side.client.get(Identity, { namespace, name }, signal));
    const secretName = identity?.status?.kubeconfigSecretRef?.name;
    if (secretName === undefined) {
      const why = identity ? 'the controllers have made none yet' : 'there is no such Identity';
      const hint = `See which there are: kubectl get identities.authentication.liqo.io -n ${namespace}`;
      throw new UserError(`Cannot ${doing}: ${why}`, { hint });
    }
    const key = { namespace, name: secretName };
    const secret = await attempt(doing, side.client.get(Secret, key, signal));
    const encoded = secret?.data?.kubeconfig;
    if (encoded !== undefined) return print(Buffer.from(encoded, 'base64').toString());
    const hint = 'The controllers make it again: try again in a moment';
    throw new UserError(`Cannot ${doing}: the Secret "${secretName}" does not hold it`, { hint });
  },
});
