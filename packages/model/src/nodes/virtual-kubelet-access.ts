import {
  labels,
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
  /** In the namespace of its VirtualNode: one Secret, and no other. */
  readonly role: Role;
  readonly roleBinding: RoleBinding;
}

const rbac = 'rbac.authorization.k8s.io';
const localRole = 'liqo-virtual-kubelet-local';
const tokensRole = 'liqo-virtual-kubelet-tokens';

export function forgeVirtualKubeletAccess(virtualNode: Stored<VirtualNode>): VirtualKubeletAccess {
  const { name, namespace = '' } = virtualNode.metadata;
  const { clusterID = '', kubeconfigSecretRef } = virtualNode.spec;
  const marks = {
    [labels.managed]: 'true',
    [labels.remoteClusterID]: clusterID,
    [labels.virtualNode]: name,
  };
  const metadata = { name, namespace, labels: marks };
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
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          verbs: ['create', 'get', 'update'],
        },
        {
          apiGroups: ['offloading.liqo.io'],
          resources: ['virtualnodes', 'namespacemaps'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
    roleBinding: {
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name },
      subjects,
    },
  };
}
