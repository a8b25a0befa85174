import {
  Advertisement,
  ForeignCluster,
  labels,
  labelValues,
  NamespaceMap,
  ResourceSlice,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import {
  ClusterRoleBinding,
  Deployment,
  type KubeObject,
  keyOf,
  Namespace,
  NetworkPolicy,
  Node,
  type ObjectKey,
  Role,
  RoleBinding,
  ServiceAccount,
} from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ownSlices, receivedOffers, tenantNamespaces, virtualNodesOnly } from '../selections.ts';
import { tenancyOf } from '../tenancy.ts';
import { VirtualNodeReconciler } from './reconcile-virtual-node.ts';

export interface VirtualNodeOptions {
  /** How long the pods of a virtual node that is deleted may take to leave it. */
  readonly drainTimeoutMs: number;
  /** Whether virtual kubelets use plain HTTP, no verification, and loopback and metadata addresses of providers. */
  readonly allowInsecurePeers?: boolean;
}

/** At a consumer: gives every VirtualNode its virtual kubelet, and takes both down in order. */
export function startVirtualNodeController(
  context: ControllerContext,
  options: VirtualNodeOptions,
): Stoppable {
  const loop = new ControlLoop(context);
  const virtualNodes = loop.watch(VirtualNode);
  const templates = loop.watch(VkOptionsTemplate);
  const kubelets = loop.watch(Deployment, {
    labelSelector: `${labels.component}=${labelValues.virtualKubelet}`,
  });
  const made = { labelSelector: labels.virtualNode };
  const serviceAccounts = loop.watch(ServiceAccount, made);
  const roles = loop.watch(Role, made);
  const roleBindings = loop.watch(RoleBinding, made);
  const clusterRoleBindings = loop.watch(ClusterRoleBinding, made);
  const networkPolicies = loop.watch(NetworkPolicy, made);
  const nodes = loop.watch(Node, virtualNodesOnly);
  const slices = loop.watch(ResourceSlice, ownSlices);
  const offers = loop.watch(Advertisement, receivedOffers);
  const maps = loop.watch(NamespaceMap, { labelSelector: `${labels.replication}=true` });
  const { secrets, bindings } = loop.watchTenantSecrets();
  const namespaces = loop.watch(Namespace, tenantNamespaces);
  const peers = loop.watch(ForeignCluster);
  const where = (matches: (virtualNode: VirtualNode) => boolean): readonly ObjectKey[] =>
    virtualNodes.list().filter(matches).map(keyOf);
  const inNamespaceOf = ({ metadata }: KubeObject) =>
    where((virtualNode) => virtualNode.metadata?.namespace === metadata?.namespace);
  const madeFor = ({ metadata }: KubeObject) =>
    where((virtualNode) => virtualNode.metadata?.name === metadata?.labels?.[labels.virtualNode]);
  const reconciler = new VirtualNodeReconciler({
    ...context,
    ...options,
    virtualNodes,
    templates,
    kubelets,
    serviceAccounts,
    roles,
    roleBindings,
    clusterRoleBindings,
    networkPolicies,
    nodes,
    slices,
    offers,
    maps,
    peers,
    secrets,
    whyMisplaced: tenancyOf(namespaces),
  });
  return loop.run({
    name: 'virtualnode',
    concurrency: 4,
    sources: [
      primary(virtualNodes),
      mapped(templates, () => where(() => true)),
      mapped(kubelets, madeFor),
      mapped(serviceAccounts, madeFor),
      mapped(roles, madeFor),
      mapped(roleBindings, madeFor),
      mapped(clusterRoleBindings, madeFor),
      mapped(networkPolicies, madeFor),
      mapped(nodes, ({ metadata }) => where((one) => one.metadata?.name === metadata.name)),
      mapped(maps, inNamespaceOf),
      mapped(slices, inNamespaceOf),
      mapped(secrets, inNamespaceOf),
      mapped(bindings, inNamespaceOf),
      // Of several namespaces of a peer the oldest counts, so that one concerns the virtual nodes in others.
      mapped(namespaces, () => where(() => true)),
      mapped(peers, ({ metadata }) => where((one) => one.spec.clusterID === metadata.name)),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}
