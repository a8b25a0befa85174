import { labels, Tenant } from '@liqo/api';
import type { ClusterRoleBinding, RoleBinding, Stored } from '@liqo/kube';
import { ownerReference } from './owner-reference.ts';

const rbac = 'rbac.authorization.k8s.io';
const controlPlaneRole = 'liqo-remote-controlplane';
const everywhereRole = 'liqo-virtual-kubelet-remote-clusterwide';

/** What lets the control plane of a consumer write its requests, in its tenant namespace. */
export function forgeControlPlaneBinding(tenant: Stored<Tenant>): RoleBinding {
  const { clusterID = '' } = tenant.spec;
  return {
    metadata: {
      name: controlPlaneBindingName,
      namespace: tenant.metadata.namespace ?? '',
      labels: marksOf(clusterID),
      ownerReferences: [ownerReference(Tenant, tenant.metadata)],
    },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: controlPlaneRole },
    subjects: [{ apiGroup: rbac, kind: 'User', name: clusterID }],
  };
}

/** Whether a binding, whoever made it, gives what the control plane of a consumer has. */
export function bindsControlPlane({ metadata, roleRef }: RoleBinding): boolean {
  return roleRef.name === controlPlaneRole && metadata?.deletionTimestamp === undefined;
}

export const controlPlaneBindingName = `liqo-binding-${controlPlaneRole}`;

/** What lets the virtual kubelets of a consumer read its metrics. An object of the cluster, so no Tenant can own it. */
export function forgeEverywhereBinding(consumerClusterID: string): ClusterRoleBinding {
  return {
    metadata: {
      name: everywhereBindingName(consumerClusterID),
      labels: marksOf(consumerClusterID),
    },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: everywhereRole },
    subjects: [{ apiGroup: rbac, kind: 'Group', name: consumerClusterID }],
  };
}

export function everywhereBindingName(consumerClusterID: string): string {
  return `liqo-binding-${everywhereRole}-${consumerClusterID}`;
}

function marksOf(consumerClusterID: string) {
  return {
    'app.kubernetes.io/managed-by': 'liqo',
    [labels.managed]: 'true',
    [labels.remoteClusterID]: consumerClusterID,
  };
}
