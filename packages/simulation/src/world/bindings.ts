import type { ClusterRoleBinding, KubeObject, RoleBinding, Stored } from '@liqo/kube';
import type { Identity } from '@liqo/minicluster';

type Collections = ReadonlyMap<string, ReadonlyMap<string, Stored<KubeObject>>>;

const virtualKubelet = /^system:serviceaccount:(liqo-tenant-[^:]+):([^:]+)$/;

/**
 * Whether the user is a virtual kubelet whose VirtualNode is gone or going. Its rights are withdrawn one after the other then, before
 * its process has ended.
 */
export function isOfLeavingNode(collections: Collections, { name: user }: Identity): boolean {
  const [, namespace, name] = virtualKubelet.exec(user) ?? [];
  if (namespace === undefined) return false;
  const nodes = [...(collections.get('virtualnodes.offloading.liqo.io')?.values() ?? [])];
  const node = nodes.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
  return node?.metadata.deletionTimestamp !== undefined || node === undefined;
}

/**
 * Whether any binding gives the user rights in the namespace, or in the whole cluster. A virtual kubelet learns by itself that a
 * namespace is offloaded, while controllers grant and withdraw what it reads there: only what is bound in the namespace counts for it.
 * The same is true of the identities of a consumer at its provider, which may read metrics in the whole cluster.
 */
export function isBoundIn(
  collections: Collections,
  user: Identity,
  namespace: string | undefined,
): boolean {
  const isGrantedLocally = namespace !== undefined && isRestricted(user);
  const clusterWide = isGrantedLocally
    ? []
    : collectionOf<ClusterRoleBinding>(collections, 'clusterrolebindings');
  const local = collectionOf<RoleBinding>(collections, 'rolebindings');
  return [...clusterWide, ...local.filter(({ metadata }) => metadata.namespace === namespace)].some(
    ({ subjects = [] }) => subjects.some((subject) => isSubject(subject, user)),
  );
}

function isRestricted({ name }: Identity): boolean {
  return virtualKubelet.test(name) || !name.startsWith('system:');
}

function collectionOf<T extends KubeObject>(collections: Collections, plural: string) {
  const found = collections.get(`${plural}.rbac.authorization.k8s.io`);
  return [...(found?.values() ?? [])] as Stored<KubeObject>[] as Stored<T>[];
}

type Subject = NonNullable<RoleBinding['subjects']>[number];

/** Groups of everybody give no rights of their own. */
function isSubject({ kind, name, namespace }: Subject, { name: user, groups }: Identity): boolean {
  if (kind === 'ServiceAccount') return user === `system:serviceaccount:${namespace}:${name}`;
  return kind === 'User' ? user === name : groups.includes(name);
}
