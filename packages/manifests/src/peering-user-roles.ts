import { fixedNames } from '@liqo/api';
import type { ClusterRole, Role } from '@liqo/kube';
import { reading } from './verbs.ts';

const marks = { 'app.kubernetes.io/component': 'peering-user' };

/**
 * What the user that `liqoctl generate peering-user` makes may do in the tenant namespace of its consumer: hand over the Tenant, and
 * take it back. Of the Secrets there it reads the nonce only: where the clusters are peers in both directions, others hold the
 * key of this cluster. `create` cannot be limited to a name.
 */
export const peeringUserTenantRole: ClusterRole = {
  metadata: {
    name: 'liqo-peering-user-tenant-ns',
    labels: { ...marks, 'app.kubernetes.io/name': 'peering-user-tenant-ns' },
  },
  rules: [
    { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: [fixedNames.nonceSecret],
      verbs: ['delete', 'get'],
    },
    {
      apiGroups: ['authentication.liqo.io'],
      resources: ['tenants'],
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update'],
    },
  ],
};

/** What such a user may do in the namespace of the installation: find out which cluster this is. */
export function forgePeeringUserRole(namespace: string): Role {
  const name = 'liqo-peering-user-liqo-ns';
  const labels = { ...marks, 'app.kubernetes.io/name': 'peering-user-liqo-ns' };
  return {
    metadata: { name, namespace, labels },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: reading }],
  };
}
