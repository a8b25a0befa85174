import { finalizers, fixedNames, labels } from '@liqo/api';
import { deepEqual, type Namespace, type RoleBinding, type Stored } from '@liqo/kube';

const apiGroup = 'rbac.authorization.k8s.io';

/**
 * What gives the controllers their rights on Secrets in a tenant namespace. The finalizer keeps it while the namespace is
 * being deleted, until no Secret needs these rights.
 */
export function forgeTenantAccess(namespace: string, liqoNamespace: string): RoleBinding {
  return {
    metadata: {
      name: fixedNames.controllerManagerTenantRole,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'liqo', [labels.managed]: 'true' },
      finalizers: [finalizers.tenantAccess],
    },
    roleRef: { apiGroup, kind: 'ClusterRole', name: fixedNames.controllerManagerTenantRole },
    subjects: [
      { kind: 'ServiceAccount', name: fixedNames.controllerManager, namespace: liqoNamespace },
    ],
  };
}

/** Whether a namespace has the labels of tenant namespaces, whichever peer it is about. */
export function isTenantNamespace({ metadata }: Namespace): boolean {
  const marks = metadata?.labels ?? {};
  return marks[labels.tenantNamespace] === 'true' && labels.remoteClusterID in marks;
}

export type TenantAccessStep =
  | { readonly type: 'create' }
  | { readonly type: 'update' }
  | { readonly type: 'keep' }
  /** It is being deleted: it is created again when it is gone. */
  | { readonly type: 'release' }
  | { readonly type: 'refuse'; readonly message: string };

/** The next step towards the RoleBinding of a tenant namespace that is not being deleted. */
export function planTenantAccess(
  wanted: RoleBinding,
  existing: Stored<RoleBinding> | undefined,
): TenantAccessStep {
  if (!existing) return { type: 'create' };
  if (!deepEqual(existing.roleRef, wanted.roleRef)) {
    const { name, namespace } = existing.metadata;
    const message = `The RoleBinding "${name}" in the namespace "${namespace}" refers to another role: delete it, and the controllers create theirs`;
    return { type: 'refuse', message };
  }
  if (existing.metadata.deletionTimestamp !== undefined) return { type: 'release' };
  const isHeld = existing.metadata.finalizers?.includes(finalizers.tenantAccess) ?? false;
  return isHeld && deepEqual(existing.subjects, wanted.subjects)
    ? { type: 'keep' }
    : { type: 'update' };
}

/** Whether the RoleBinding grants what the controllers need. */
export function grantsTenantAccess(
  wanted: RoleBinding,
  existing: Stored<RoleBinding> | undefined,
): boolean {
  const { roleRef, subjects } = wanted;
  return deepEqual(existing?.roleRef, roleRef) && deepEqual(existing?.subjects, subjects);
}
