import type {
  Advertisement,
  ForeignCluster,
  NamespaceMap,
  ResourceSlice,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import type {
  ClusterRoleBinding,
  Deployment,
  NetworkPolicy,
  Node,
  Role,
  RoleBinding,
  ServiceAccount,
} from '@liqo/kube';
import type { CachedReader, Informer } from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import type { WhyMisplaced } from '../tenancy.ts';
import type { TenantSecrets } from '../tenant-access/tenant-secrets.ts';

/** What the controller of virtual nodes works with. */
export interface VirtualNodeWorld extends Omit<ControllerContext, 'caches'> {
  /** How long the pods of a virtual node that is deleted may take to leave it. */
  readonly drainTimeoutMs: number;
  readonly allowInsecurePeers?: boolean;
  readonly virtualNodes: Informer<VirtualNode>;
  readonly templates: CachedReader<VkOptionsTemplate>;
  readonly nodes: CachedReader<Node>;
  /** Of this cluster. */
  readonly slices: CachedReader<ResourceSlice>;
  /** Of providers. */
  readonly offers: CachedReader<Advertisement>;
  readonly maps: CachedReader<NamespaceMap>;
  readonly peers: CachedReader<ForeignCluster>;
  readonly secrets: Pick<TenantSecrets, 'isWatched'>;
  readonly whyMisplaced: WhyMisplaced;
  /** What is made for virtual nodes. */
  readonly kubelets: Informer<Deployment>;
  readonly serviceAccounts: Informer<ServiceAccount>;
  readonly roles: Informer<Role>;
  readonly roleBindings: Informer<RoleBinding>;
  readonly clusterRoleBindings: Informer<ClusterRoleBinding>;
  readonly networkPolicies: Informer<NetworkPolicy>;
}
