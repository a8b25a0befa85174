import { fixedNames } from '@liqo/api';
import { type Client, ConfigMap, checkDnsLabel } from '@liqo/kube';
import { explainAt, type Where } from '../explain.ts';
import { UserError } from '../user-error.ts';

interface ClusterIDOptions {
  readonly liqoNamespace: string;
  /** What the ID is needed for, after "Cannot". */
  readonly doing: string;
  readonly where?: Where;
  /** The flag that names the namespace of Liqo. */
  readonly flag?: string;
  readonly signal: AbortSignal;
}

/** How the cluster is known to its peers. Where it cannot be read, Liqo is not installed. */
export async function readClusterID(client: Client, options: ClusterIDOptions): Promise<string> {
  const { liqoNamespace: namespace, doing, where = 'local', signal } = options;
  const key = { namespace, name: fixedNames.clusterIDConfigMap };
  const config = await client.get(ConfigMap, key, signal).catch((error: unknown) => {
    throw explainAt(where, doing, error);
  });
  const clusterID = config?.data?.CLUSTER_ID;
  if (!clusterID) throw notInstalled(options);
  const [fault] = checkDnsLabel(clusterID);
  if (fault === undefined) return clusterID;
  const why = `its ConfigMap "${key.name}" names the ID "${clusterID}", which ${fault}`;
  const hint = 'Install Liqo with an ID of lower-case letters, digits and hyphens';
  throw new UserError(`Cannot ${doing}: ${why}`, { hint });
}

function notInstalled({ liqoNamespace, doing, where, flag }: ClusterIDOptions): UserError {
  const isRemote = where === 'remote';
  const [prefix, cluster] = isRemote ? ['--remote-', 'the remote cluster'] : ['--', 'this cluster'];
  const why = `Liqo is not installed in the namespace "${liqoNamespace}" of ${cluster}`;
  const hint = `Name the namespace where it is with ${flag ?? `${prefix}liqo-namespace`}, choose another cluster with ${prefix}context or ${prefix}kubeconfig, or install it`;
  return new UserError(`Cannot ${doing}: ${why}`, { hint });
}
