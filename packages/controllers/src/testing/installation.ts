import { type Client, RoleBinding } from '@liqo/kube';
import { defaultValues, forgeManifests, kindOfManifest } from '@liqo/manifests';
import { type Identity, serviceAccountGroups, serviceAccountUserName } from '@liqo/minicluster';
import { forgeTenantAccess } from '@liqo/model';

export const liqoNamespace = defaultValues.namespace;

/** Whom the controllers of a cluster are to it. */
export const controllersUser = serviceAccountUserName({
  namespace: liqoNamespace,
  name: 'liqo-controller-manager',
});

export const controllersIdentity: Identity = {
  name: controllersUser,
  groups: serviceAccountGroups(liqoNamespace),
};

/** What gives the controllers their rights, and limits those of others. Tests create the VkOptionsTemplate themselves, and nothing is elected. */
const installed = [
  'Namespace',
  'ClusterRole',
  'ServiceAccount',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
];

/** What the controllers of a running installation grant themselves. */
export async function grantTenantAccess(admin: Client, namespace: string): Promise<void> {
  const { finalizers: _, ...metadata } = forgeTenantAccess(namespace, liqoNamespace).metadata ?? {};
  await admin.create(RoleBinding, { ...forgeTenantAccess(namespace, liqoNamespace), metadata });
}

export async function installRights(admin: Client, clusterID: string): Promise<void> {
  const objects = forgeManifests({ ...defaultValues, clusterID });
  for (const object of objects.filter(({ kind = '' }) => installed.includes(kind))) {
    await admin.create(kindOfManifest(object), object);
  }
}
