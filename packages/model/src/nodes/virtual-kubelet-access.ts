import { labels, type VirtualNode, virtualKubeletBindingName } from '@liqo/api';
import type { ClusterRoleBinding, Role, RoleBinding, ServiceAccount, Stored } from '@liqo/kube';

/** Who a virtual kubelet is at home, and what it may do there. */
export interface VirtualKubeletAccess {
  readonly serviceAccount: ServiceAccount;
  readonly clusterRoleBinding: ClusterRoleBinding;
  /** In the namespace of its VirtualNode: one Secret, and no other. */
  readonly role: Role;
  readonly roleBinding: RoleBinding;
}

const rbac = 'rbac.authorization.k8s.io';
const localRole = 'liqo-virtual-kubelet-local';

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
  return {
    serviceAccount: { metadata },
    clusterRoleBinding: {
      metadata: {
        name: virtualKubeletBindingName(name),
        labels: { 'app.kubernetes.io/managed-by': 'liqo', ...marks },
      },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: localRole },
      subjects,
    },
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
