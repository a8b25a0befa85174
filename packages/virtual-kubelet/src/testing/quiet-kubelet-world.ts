import { ForeignCluster, NamespaceMap, ShadowPod, VirtualNode } from '@liqo/api';
import { silentLogger } from '@liqo/runtime';
import { type QuietWorld, startQuietWorld } from '@liqo/testkit/cluster';
import type { KubeletContext } from '../kubelet-context.ts';

/** For a part of a virtual kubelet alone. */
export interface QuietKubeletWorld extends QuietWorld {
  /** Of `mynode`. Here, consumer and provider are one cluster. */
  readonly context: KubeletContext;
}

const kinds = [ForeignCluster, NamespaceMap, ShadowPod, VirtualNode];

export async function startQuietKubeletWorld(): Promise<QuietKubeletWorld> {
  const world = await startQuietWorld(['shop', 'shop-rome'], kinds);
  const { client, clock, random, recorder } = world;
  return {
    ...world,
    context: {
      local: client,
      virtualNode: { namespace: 'shop', name: 'mynode' },
      kubeconfigSecretName: 'to-milan',
      consumerClusterID: 'rome',
      providerClusterID: 'milan',
      clock,
      random,
      log: silentLogger,
      events: recorder,
      connectProvider: async () => client,
    },
  };
}
