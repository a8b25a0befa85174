import { type Client, ClusterRoleBinding, RoleBinding } from '@liqo/kube';
import { namespacesGrantedBy } from '@liqo/model';

/** The namespaces whose ServiceAccounts have rights in this cluster, whether the namespaces exist or not. */
export async function listGrantedNamespaces(
  client: Client,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const [ofCluster, ofNamespaces] = await Promise.all([
    client.list(ClusterRoleBinding, signal),
    client.list(RoleBinding, signal),
  ]);
  return new Set([...ofCluster.items, ...ofNamespaces.items].flatMap(namespacesGrantedBy));
}
