import { type Client, type Clock, isForbidden, type ObjectKey, Secret } from '@liqo/kube';
import {
  type KubeconfigTrust,
  parseKubeconfig,
  resolveConnection,
  selectContext,
  untrusted,
} from '@liqo/kube/node';
import { explain } from '../explain.ts';
import { UserError } from '../user-error.ts';

/** Whether insecure servers are allowed is a setting of the installation: the VirtualNode says so if they are not. */
const secretTrust: KubeconfigTrust = {
  ...untrusted,
  insecureServers: 'allowed',
  reservedAddresses: 'allowed',
};

interface CheckOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Refuses a Secret that no virtual kubelet could use: it has to be there, with a kubeconfig that is complete in itself.
 * Whoever may not read Secrets is believed.
 */
export async function checkProviderSecret(
  client: Client,
  { namespace, name }: ObjectKey,
  { clock, signal }: CheckOptions,
): Promise<void> {
  const doing = `use the Secret "${name}" of the namespace "${namespace}"`;
  const secret = await client.get(Secret, { namespace, name }, signal).catch((error: unknown) => {
    if (isForbidden(error)) return 'unseen' as const;
    throw explain(doing, error);
  });
  if (secret === 'unseen') return;
  const encoded = secret?.data?.kubeconfig;
  if (encoded === undefined) {
    const why = secret ? 'it has no key "kubeconfig"' : 'there is none of that name';
    const hint =
      'Put a kubeconfig of the provider under its key "kubeconfig", or name another Secret with --kubeconfig-secret-name';
    throw new UserError(`Cannot ${doing}: ${why}`, { hint });
  }
  try {
    const text = Buffer.from(encoded, 'base64').toString();
    const selected = selectContext(parseKubeconfig(text, name));
    await resolveConnection(selected, { clock, trust: secretTrust });
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Cannot/, 'cannot') : String(error);
    const hint = 'Replace it with a kubeconfig that holds its certificates and credentials itself';
    throw new UserError(`Cannot ${doing}: ${why}`, { hint, cause: error });
  }
}
