import { type Client, ClusterRoleBinding, RoleBinding } from '@liqo/kube';
import { namespacesGrantedBy } from '@liqo/model';

/** Those of consumers grant nothing to ServiceAccounts, and there may be thousands. */
const notOfConsumers = 'app.kubernetes.io/managed-by!=liqo';

/** The namespaces whose ServiceAccounts have rights in this cluster, whether the namespaces exist or not. */
export async function listGrantedNamespaces(
  client: Client,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const [ofCluster, ofNamespaces] = await Promise.all([
    client.list(ClusterRoleBinding, signal),
    client.list(RoleBinding, { labelSelector: notOfConsumers, signal }),
  ]);
  return new Set([...ofCluster.items, ...ofNamespaces.items].flatMap(namespacesGrantedBy));
}
