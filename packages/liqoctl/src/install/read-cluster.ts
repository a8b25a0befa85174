import { fixedNames } from '@liqo/api';
import {
  type Client,
  ConfigMap,
  isForbidden,
  type KubeObject,
  Node,
  Secret,
  SelfSubjectAccessReview,
  type Stored,
} from '@liqo/kube';
import { detectProvider, type Provider } from './detect-provider.ts';
import { type InstallationRecord, readInstallationRecord } from './installation-record.ts';
import type { ClusterFacts } from './judge-cluster.ts';

export interface FoundCluster extends ClusterFacts {
  /** What the last installation was told. */
  readonly record: InstallationRecord;
  readonly provider: Provider | undefined;
}

/** Reads what an installation depends on; nothing is changed. */
export async function readCluster(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<FoundCluster> {
  const key = { namespace, name: fixedNames.clusterIDConfigMap };
  const [{ gitVersion }, nodes, config, hasRelease, missingRights, groups, record] =
    await Promise.all([
      client.rawJson<{ gitVersion: string }>('/version', { signal }),
      readNodes(client, signal),
      client.get(ConfigMap, key, signal),
      findRelease(client, namespace, signal),
      findMissingRights(client, namespace, signal),
      client.rawJson<{ groups?: readonly { name: string }[] }>('/apis', { signal }),
      readInstallationRecord(client, namespace, signal),
    ]);
  const apiGroups = (groups.groups ?? []).map(({ name }) => name);
  return {
    gitVersion,
    nodes,
    clusterID: config?.data?.CLUSTER_ID,
    isOfHelm: hasRelease || isMarkedByHelm(config),
    record,
    missingRights,
    provider: detectProvider(nodes, gitVersion, apiGroups),
  };
}

/** Without virtual nodes. A user without the right to list Nodes installs without detection. */
async function readNodes(client: Client, signal: AbortSignal): Promise<readonly Stored<Node>[]> {
  try {
    const labelSelector = 'liqo.io/type!=virtual-node';
    return (await client.list(Node, { labelSelector, signal })).items;
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}

/** Helm writes on its objects which release they are of, whatever it is called and whatever state it is in. */
function isMarkedByHelm(object: KubeObject | undefined): boolean {
  return object?.metadata?.annotations?.['meta.helm.sh/release-name'] !== undefined;
}

/** Helm keeps a release in a Secret. */
async function findRelease(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const labelSelector = 'owner=helm,name=liqo,status=deployed';
    return (await client.list(Secret, { namespace, labelSelector, signal })).items.length > 0;
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}

const rights = [
  { verb: 'patch', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
  { verb: 'patch', group: 'rbac.authorization.k8s.io', resource: 'clusterroles' },
  { verb: 'create', group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
  { verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'clusterroles' },
  { verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' },
  {
    verb: 'create',
    group: 'admissionregistration.k8s.io',
    resource: 'validatingadmissionpolicies',
  },
  { verb: 'create', group: 'apps', resource: 'deployments', isNamespaced: true },
] as const;

async function findMissingRights(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const right of rights) {
    const { verb, group, resource } = right;
    const place = 'isNamespaced' in right ? { namespace } : {};
    const review = { spec: { resourceAttributes: { verb, group, resource, ...place } } };
    const { status } = await client.create(SelfSubjectAccessReview, review, signal);
    if (status?.allowed === false) missing.push(`${verb} ${resource}`);
  }
  return missing;
}
