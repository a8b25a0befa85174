import { labels } from '@liqo/api';
import type { RoleBinding } from '@liqo/kube';
import { peeringUserNames } from './names.ts';

interface BoundUser {
  readonly consumerID: string;
  /** The user, whose name nobody else will ever have. */
  readonly commonName: string;
  readonly liqoNamespace: string;
  readonly tenantNamespace: string;
}

const apiGroup = 'rbac.authorization.k8s.io';

/** What a peering user may do, by roles of the installation: read about the cluster, and write about itself. */
export function forgeBindings(user: BoundUser): readonly RoleBinding[] {
  const { consumerID, commonName, liqoNamespace, tenantNamespace } = user;
  const names = peeringUserNames(consumerID);
  const subjects = [{ apiGroup, kind: 'User', name: commonName }];
  const marks = {
    [labels.peeringUserName]: names.user,
    [labels.remoteClusterID]: consumerID,
    'app.kubernetes.io/managed-by': 'liqo',
  };
  return [
    {
      metadata: { name: names.reader, namespace: liqoNamespace, labels: marks },
      roleRef: { apiGroup, kind: 'Role', name: 'liqo-peering-user-liqo-ns' },
      subjects,
    },
    {
      metadata: { name: names.writer, namespace: tenantNamespace, labels: marks },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'liqo-peering-user-tenant-ns' },
      subjects,
    },
  ];
}
