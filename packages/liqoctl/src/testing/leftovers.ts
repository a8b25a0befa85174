import {
  ForeignCluster,
  Identity,
  labels,
  NamespaceMap,
  Quota,
  Renew,
  ResourceSlice,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import {
  CertificateSigningRequest,
  type Client,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  isNotFound,
  type Kind,
  type KubeObject,
  Namespace,
  Node,
  Pod,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
} from '@liqo/kube';

const kinds = [
  CertificateSigningRequest,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  ForeignCluster,
  Identity,
  Namespace,
  NamespaceMap,
  Node,
  Pod,
  Quota,
  Renew,
  ResourceSlice,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  ShadowEndpointSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
] as readonly Kind<KubeObject>[];

/** By these, what is made for a peer, and the pods that it has here, are found. */
const marks = [
  labels.remoteClusterID,
  labels.replicationOrigin,
  labels.replicationDestination,
  labels.remoteTenantCsr,
  labels.peeringUserName,
  labels.origin,
];

/** What a peering has left in a cluster, of every kind of which it makes objects. A kind that is not served has none. */
export async function listLeftovers(client: Client): Promise<readonly string[]> {
  const lists = kinds.flatMap((kind) =>
    marks.map((labelSelector) =>
      client.list(kind, { labelSelector }).catch((error: unknown) => {
        if (isNotFound(error)) return { items: [] };
        throw error;
      }),
    ),
  );
  const found = (await Promise.all(lists)).flatMap(({ items }) => items);
  const names = found.map(({ kind, metadata: { namespace, name } }) =>
    [kind, namespace, name].filter(Boolean).join(' '),
  );
  return [...new Set(names)].toSorted();
}
