import {
  labels,
  reflectionLeaseName,
  type VirtualNode,
  virtualKubeletBindingName,
  virtualKubeletTokensBindingName,
} from '@liqo/api';
import type { ClusterRoleBinding, Role, RoleBinding, ServiceAccount, Stored } from '@liqo/kube';

/** Who a virtual kubelet is at home, and what it may do there. */
export interface VirtualKubeletAccess {
  readonly serviceAccount: ServiceAccount;
  readonly clusterRoleBinding: ClusterRoleBinding;
  /** For those whose pods call the API server here, and for nobody else: it is the strongest right of all. */
  readonly tokensBinding: ClusterRoleBinding;
  /** In the namespace of its VirtualNode: one Secret, and no other; its own Lease, and that of all virtual nodes of the provider. */
  readonly role: Role;
  readonly roleBinding: RoleBinding;
  /** Where Nodes have their Leases: its own, and no other. */
  readonly leaseRole: Role;
  readonly leaseRoleBinding: RoleBinding;
}

type Rule = NonNullable<Role['rules']>[number];

const rbac = 'rbac.authorization.k8s.io';
const localRole = 'liqo-virtual-kubelet-local';
const tokensRole = 'liqo-virtual-kubelet-tokens';

/** Of Kubernetes itself, for the Leases of its Nodes. */
export const nodeLeaseNamespace = 'kube-node-lease';

export function forgeVirtualKubeletAccess(virtualNode: Stored<VirtualNode>): VirtualKubeletAccess {
  const { name, namespace = '' } = virtualNode.metadata;
  const { clusterID = '', kubeconfigSecretRef } = virtualNode.spec;
  const marks = {
    [labels.managed]: 'true',
    [labels.remoteClusterID]: clusterID,
    [labels.virtualNode]: name,
  };
  const metadata = { name, namespace, labels: marks };
  const atLeases = {
    name: virtualKubeletBindingName(name),
    namespace: nodeLeaseNamespace,
    labels: marks,
  };
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const bind = (binding: string, role: string): ClusterRoleBinding => ({
    metadata: { name: binding, labels: { 'app.kubernetes.io/managed-by': 'liqo', ...marks } },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects,
  });
  return {
    serviceAccount: { metadata },
    clusterRoleBinding: bind(virtualKubeletBindingName(name), localRole),
    tokensBinding: bind(virtualKubeletTokensBindingName(name), tokensRole),
    role: {
      metadata,
      rules: [
        {
          apiGroups: [''],
          resources: ['secrets'],
          resourceNames: [kubeconfigSecretRef?.name ?? ''],
          verbs: ['get', 'list', 'watch'],
        },
        ...leaseRules(name, reflectionLeaseName(clusterID)),
        {
          apiGroups: ['offloading.liqo.io'],
          resources: ['virtualnodes', 'namespacemaps'],
          verbs: ['get', 'list', 'watch'],
        },
        {
          apiGroups: ['offloading.liqo.io'],
          resources: ['virtualnodes/status'],
          resourceNames: [name],
          verbs: ['patch'],
        },
      ],
    },
    roleBinding: {
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects,
    },
    leaseRole: { metadata: atLeases, rules: leaseRules(name) },
    leaseRoleBinding: {
      metadata: atLeases,
      roleRef: { apiGroup: rbac, kind: 'Role', name: atLeases.name },
      subjects,
    },
  };
}

/** Who creates something cannot be held to a name. */
function leaseRules(...resourceNames: readonly string[]): Rule[] {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, resourceNames: [...resourceNames], verbs: ['get', 'update'] },
  ];
}
