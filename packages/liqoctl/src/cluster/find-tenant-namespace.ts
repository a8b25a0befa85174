import { labels, tenantNamespaceName } from '@liqo/api';
import { type Client, isForbidden, Namespace } from '@liqo/kube';
import type { Invocation } from '../command.ts';
import { explain } from '../explain.ts';
import type { FlagTable } from '../flags/flag.ts';
import { UserError } from '../user-error.ts';

/** The namespace with everything about a peer. Whoever may not look for it gets the name that it has by default. */
export async function findTenantNamespace(
  { signal, suggest }: Pick<Invocation<FlagTable>, 'signal' | 'suggest'>,
  client: Client,
  remoteClusterID: string,
): Promise<string> {
  const doing = `find the tenant namespace of the cluster "${remoteClusterID}"`;
  const labelSelector = `${labels.tenantNamespace}=true,${labels.remoteClusterID}=${remoteClusterID}`;
  try {
    const { items } = await client.list(Namespace, { labelSelector, signal });
    const [found, ...others] = items.map(({ metadata }) => metadata.name);
    if (found !== undefined && others.length === 0) return found;
    const why = found ? `there are several: ${[found, ...others].join(', ')}` : 'there is none';
    const hint = found
      ? 'Choose one with -n'
      : `Check --remote-cluster-id, peer with that cluster first, or name a namespace with -n; the peers are listed by ${suggest('info')}`;
    throw new UserError(`Cannot ${doing}: ${why}`, { hint });
  } catch (error) {
    if (isForbidden(error)) return tenantNamespaceName(remoteClusterID);
    throw explain(doing, error);
  }
}
