import type { RoleBinding } from '@liqo/kube';

type Binding = Pick<RoleBinding, 'subjects'>;

const groupPrefix = 'system:serviceaccounts:';
const userPrefix = 'system:serviceaccount:';

/**
 * The namespaces whose ServiceAccounts a RoleBinding or ClusterRoleBinding grants rights to. Such a namespace may not exist
 * yet: a consumer that creates it, and ServiceAccounts in it, would have those rights.
 */
export function namespacesGrantedBy({ subjects }: Binding): readonly string[] {
  return (subjects ?? []).flatMap(({ kind, name, namespace }) => {
    if (kind === 'ServiceAccount') return namespace ?? [];
    if (kind === 'Group') return name.startsWith(groupPrefix) ? name.slice(groupPrefix.length) : [];
    return name.startsWith(userPrefix) ? (name.slice(userPrefix.length).split(':')[0] ?? []) : [];
  });
}
