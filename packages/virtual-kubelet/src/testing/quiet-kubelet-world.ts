import { ForeignCluster, NamespaceMap, ShadowPod, VirtualNode } from '@liqo/api';
import { apiVersionOf, type Stored } from '@liqo/kube';
import { silentLogger } from '@liqo/runtime';
import { type QuietWorld, type Rights, startQuietWorld } from '@liqo/testkit/cluster';
import type { KubeletContext } from '../kubelet-context.ts';
import {
  consumerUser,
  grantLocalRights,
  grantRemoteRights,
  grantTokens,
  installRoles,
  kubeletUser,
} from './rights.ts';

/** For a part of a virtual kubelet alone. */
export interface QuietKubeletWorld extends QuietWorld {
  /** Of `mynode`. Here, consumer and provider are one cluster. */
  readonly context: KubeletContext;
}

const virtualNode: Stored<VirtualNode> = {
  apiVersion: apiVersionOf(VirtualNode),
  kind: VirtualNode.kind,
  metadata: {
    namespace: 'shop',
    name: 'mynode',
    uid: 'uid',
    resourceVersion: '1',
    creationTimestamp: '2030-01-01T00:00:00Z',
  },
  spec: { clusterID: 'milan', kubeconfigSecretRef: { name: 'to-milan' } },
};

/**
 * Those of a virtual kubelet with API server support, at the consumer and at the provider: in a quiet world they are one
 * cluster and one client.
 */
const rights: Rights = {
  user: {
    name: kubeletUser(virtualNode.metadata).name,
    groups: consumerUser('rome').groups,
  },
  grant: async (admin) => {
    await installRoles(admin);
    await grantLocalRights(admin, virtualNode);
    await grantTokens(admin, virtualNode);
    await grantRemoteRights(admin, 'shop-rome');
  },
};

const kinds = [ForeignCluster, NamespaceMap, ShadowPod, VirtualNode];

export async function startQuietKubeletWorld(): Promise<QuietKubeletWorld> {
  const world = await startQuietWorld(['shop', 'shop-rome'], kinds, rights);
  const { client, clock, random, recorder } = world;
  return {
    ...world,
    context: {
      local: client,
      virtualNode: { namespace: 'shop', name: 'mynode' },
      kubeconfigSecretName: 'to-milan',
      liqoNamespace: 'liqo',
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
