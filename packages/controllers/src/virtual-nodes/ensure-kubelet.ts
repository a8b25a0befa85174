import {
  type VirtualNode,
  type VkOptionsTemplate,
  virtualKubeletTokensBindingName,
} from '@liqo/api';
import {
  ClusterRoleBinding,
  Deployment,
  isForbidden,
  isInvalid,
  type Kind,
  type KubeObject,
  NetworkPolicy,
  Role,
  RoleBinding,
  ServiceAccount,
  type Stored,
} from '@liqo/kube';
import {
  forgeVirtualKubelet,
  forgeVirtualKubeletAccess,
  forgeVirtualKubeletPolicy,
  issuesTokens,
  refuseTemplate,
} from '@liqo/model';
import type { Informer, ReconcileContext } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import { ensureMade, ObjectTakenError } from './ensure-made.ts';
import type { Obstacle } from './find-obstacle.ts';
import type { VirtualNodeWorld } from './virtual-node-world.ts';

/**
 * Makes the Deployment of the virtual kubelet, its identity and its rights what they should be. Gives back what stands in
 * the way, if only a person can help.
 */
export async function ensureKubelet(
  world: VirtualNodeWorld,
  virtualNode: Stored<VirtualNode>,
  template: VkOptionsTemplate,
  run: ReconcileContext,
): Promise<Obstacle | undefined> {
  const why = refuseTemplate(virtualNode, template, world);
  if (why !== undefined) return refusedTemplate(why);
  try {
    await ensureParts(world, virtualNode, template, run);
    return undefined;
  } catch (error) {
    return obstacleOf(error);
  }
}

async function ensureParts(
  world: VirtualNodeWorld,
  virtualNode: Stored<VirtualNode>,
  template: VkOptionsTemplate,
  run: ReconcileContext,
): Promise<void> {
  const { client, kubelets, serviceAccounts, roles, roleBindings, clusterRoleBindings } = world;
  const { networkPolicies } = world;
  const access = forgeVirtualKubeletAccess(virtualNode);
  const deployment = forgeVirtualKubelet(virtualNode, template, world);
  const ensure = <T extends KubeObject>(kind: Kind<T>, made: Informer<T>, wanted: T) =>
    ensureMade(client, { kind, made, wanted }, run);
  await ensure(ServiceAccount, serviceAccounts, access.serviceAccount);
  await ensure(Role, roles, access.role);
  await ensure(RoleBinding, roleBindings, access.roleBinding);
  await ensure(Role, roles, access.leaseRole);
  await ensure(RoleBinding, roleBindings, access.leaseRoleBinding);
  await ensure(ClusterRoleBinding, clusterRoleBindings, access.clusterRoleBinding);
  if (issuesTokens(deployment)) {
    await ensure(ClusterRoleBinding, clusterRoleBindings, access.tokensBinding);
  } else {
    await removeTokensBinding(world, virtualNode, run.signal);
  }
  const policy = forgeVirtualKubeletPolicy(virtualNode, deployment);
  await ensure(NetworkPolicy, networkPolicies, policy);
  await ensure(Deployment, kubelets, deployment);
}

/** It was once allowed, and is not any more. */
async function removeTokensBinding(
  { client, clusterRoleBindings }: VirtualNodeWorld,
  { metadata }: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<void> {
  const name = virtualKubeletTokensBindingName(metadata.name);
  const binding = clusterRoleBindings.get({ name });
  if (binding) await removeIfThere(client, ClusterRoleBinding, binding, { signal });
}

function refusedTemplate(why: string): Obstacle {
  const message = `spec.template asks for what a virtual node may not have: ${why}. Remove it`;
  return { reason: 'TemplateRefused', message, isRefusal: true };
}

function obstacleOf(error: unknown): Obstacle {
  if (error instanceof ObjectTakenError) {
    const message = `${error.message}: delete this VirtualNode and make one of another name`;
    return { reason: 'NameTaken', message };
  }
  if (isInvalid(error) || isForbidden(error)) {
    const message = `The virtual kubelet cannot be made, look at spec.template and the options: ${error.message}`;
    return { reason: 'KubeletRefused', message };
  }
  throw error;
}
