import { fixedNames, VkOptionsTemplate, virtualKubeletTokensBindingName } from '@liqo/api';
import { ClusterRoleBinding, mergePatch, RoleBinding } from '@liqo/kube';
import type { Kubernetes, WorldCluster } from '../kubernetes.ts';
import { startWorld } from '../start-world.ts';
import { until } from '../until.ts';
import type { World } from '../world.ts';

/** A pair of peers in which every identity of the product has its bindings. */
export async function startRightsWorld<C extends WorldCluster<C>>(
  kubernetes: Kubernetes<C>,
): Promise<World<C>> {
  const world = await startWorld({
    kubernetes,
    consumer: 'rome',
    providers: ['milan'],
    virtualNodes: [{ name: 'north', provider: 'milan' }],
    offloaded: ['shop'],
  });
  try {
    await allowTokens(world);
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

async function allowTokens<C extends WorldCluster<C>>(world: World<C>): Promise<void> {
  const { client } = world.cluster('rome');
  const options = { namespace: 'liqo', name: fixedNames.defaultVkOptionsTemplate };
  const extraArgs = ['--enable-apiserver-support'];
  await client.patch(VkOptionsTemplate, options, mergePatch({ spec: { extraArgs } }));
  const name = virtualKubeletTokensBindingName('north');
  const reflection = { namespace: 'shop', name: 'liqo-virtual-kubelet-reflection-milan' };
  const look = async () => {
    if (!(await client.get(ClusterRoleBinding, { name }))) return `there is no binding "${name}"`;
    const isReflected = await client.get(RoleBinding, reflection);
    return isReflected ? undefined : `there is no binding "${reflection.name}"`;
  };
  await until(world.kubernetes.clock, look);
}
