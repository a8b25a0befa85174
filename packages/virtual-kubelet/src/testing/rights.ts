import { NamespaceMap, VirtualNode } from '@liqo/api';
import {
  type Client,
  ClusterRoleBinding,
  isAlreadyExists,
  Namespace,
  type ObjectKey,
  Role,
  RoleBinding,
  ServiceAccount,
  type Stored,
} from '@liqo/kube';
import { defaultValues, forgeManifests, kindOfManifest } from '@liqo/manifests';
import { type Identity, serviceAccountGroups, serviceAccountUserName } from '@liqo/minicluster';
import { forgeReflectionAccess, forgeTenantBinding, forgeVirtualKubeletAccess } from '@liqo/model';

const consumerClusterID = 'rome';

const installed = [
  'ClusterRole',
  'Role',
  'RoleBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
];

/** The roles and policies of an installation, and the right of every user to read the cluster ID. */
export async function installRoles(admin: Client): Promise<void> {
  await admin.create(Namespace, { metadata: { name: defaultValues.namespace } });
  const objects = forgeManifests({ ...defaultValues, clusterID: 'test' });
  for (const object of objects.filter(({ kind = '' }) => installed.includes(kind))) {
    await admin.create(kindOfManifest(object), object);
  }
}

/** The account of a virtual kubelet with the rights that the controllers give it. */
export async function grantLocalRights(
  admin: Client,
  virtualNode: Stored<VirtualNode>,
): Promise<void> {
  const access = forgeVirtualKubeletAccess(virtualNode);
  await admin.create(ServiceAccount, access.serviceAccount);
  await admin.create(ClusterRoleBinding, access.clusterRoleBinding);
  for (const role of [access.role, access.leaseRole]) await admin.create(Role, role);
  for (const binding of [access.roleBinding, access.leaseRoleBinding]) {
    await admin.create(RoleBinding, binding);
  }
}

/** What the controllers let the virtual kubelets of a provider read in a namespace that is offloaded to it. */
export async function grantReflection(
  admin: Client,
  providerClusterID: string,
  local: string,
): Promise<void> {
  const namespace = await admin.get(Namespace, { name: local });
  const { items: maps } = await admin.list(NamespaceMap);
  const { items } = await admin.list(VirtualNode);
  const virtualNodes = items.filter(({ spec }) => spec.clusterID === providerClusterID);
  const facts = { providerClusterID, liqoNamespace: 'liqo', namespace, maps, virtualNodes };
  const binding = forgeReflectionAccess(facts);
  if (!binding) return;
  const key = { namespace: local, name: binding.metadata?.name ?? '' };
  const existing = await admin.get(RoleBinding, key);
  if (!existing) await admin.create(RoleBinding, binding);
  else {
    const { uid, resourceVersion } = existing.metadata;
    const metadata = { ...binding.metadata, uid, resourceVersion };
    await admin.update(RoleBinding, { ...binding, metadata });
  }
}

/** The right to issue tokens: only virtual kubelets with API server support have it. */
export async function grantTokens(admin: Client, virtualNode: Stored<VirtualNode>): Promise<void> {
  await admin.create(ClusterRoleBinding, forgeVirtualKubeletAccess(virtualNode).tokensBinding);
}

/** The rights of the consumer in a namespace that the provider made for it. */
export async function grantRemoteRights(admin: Client, remote: string): Promise<void> {
  const wanted = {
    local: '',
    remote,
    consumerClusterID,
    liqoNamespace: 'liqo',
    namespaceMapKey: '',
    podSecurity: 'baseline' as const,
  };
  const binding = forgeTenantBinding(
    wanted,
    `liqo-tenant-${consumerClusterID}`,
    'liqo-virtual-kubelet-remote',
  );
  await admin.create(RoleBinding, binding).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/** Whom the virtual kubelet of a VirtualNode is in its own cluster. */
export function kubeletUser({ namespace = '', name }: ObjectKey): Identity {
  return {
    name: serviceAccountUserName({ namespace, name }),
    groups: serviceAccountGroups(namespace),
  };
}

/** Whom the consumer is at the provider. */
export function consumerUser(name: string): Identity {
  return { name, groups: [consumerClusterID] };
}
