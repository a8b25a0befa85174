import {
  Advertisement,
  ForeignCluster,
  finalizers,
  NamespaceMap,
  ResourceSlice,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import {
  ClusterRoleBinding,
  Deployment,
  findCondition,
  NetworkPolicy,
  Node,
  Role,
  RoleBinding,
  ServiceAccount,
} from '@liqo/kube';
import { silentLogger } from '@liqo/runtime';
import { rejection } from '@liqo/testkit';
import { faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import {
  tenantNamespace as namespace,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { VirtualNodeReconciler } from './reconcile-virtual-node.ts';

const key = { namespace, name: 'mynode' };

async function startWorld() {
  const kinds = [
    Advertisement,
    VirtualNode,
    NamespaceMap,
    ResourceSlice,
    ForeignCluster,
    VkOptionsTemplate,
  ];
  const world = await startQuietWorld([namespace], kinds);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, run, cacheOf } = world;
  await admin.create(VirtualNode, virtualNodeCalled(key.name));
  return {
    ...world,
    reconcile: async () =>
      new VirtualNodeReconciler({
        client,
        clock,
        random: () => 0.5,
        log: silentLogger,
        clusterID: 'rome',
        liqoNamespace: 'liqo',
        drainTimeoutMs: 60_000,
        events: { record: () => undefined, [Symbol.asyncDispose]: async () => undefined },
        connectPeer: async () => client,
        virtualNodes: await cacheOf(VirtualNode),
        templates: await cacheOf(VkOptionsTemplate),
        nodes: await cacheOf(Node),
        slices: await cacheOf(ResourceSlice),
        offers: await cacheOf(Advertisement),
        maps: await cacheOf(NamespaceMap),
        peers: await cacheOf(ForeignCluster),
        kubelets: await cacheOf(Deployment),
        serviceAccounts: await cacheOf(ServiceAccount),
        roles: await cacheOf(Role),
        roleBindings: await cacheOf(RoleBinding),
        clusterRoleBindings: await cacheOf(ClusterRoleBinding),
        networkPolicies: await cacheOf(NetworkPolicy),
        secrets: { isWatched: () => true },
        whyMisplaced: () => undefined,
      }).reconcile(key, run),
    virtualNode: () => admin.get(VirtualNode, key),
  };
}

describe('a VirtualNode that is reconciled', () => {
  test('says what it waits for, and tells what was written', async () => {
    const { reconcile, virtualNode, written } = await startWorld();
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    const said = await virtualNode();
    expect(findCondition(said?.status?.conditions, 'VirtualKubelet')).toMatchObject({
      reason: 'NoOptionsTemplate',
    });
    expect(said?.metadata.finalizers).toEqual([finalizers.virtualNode]);
    expect(written).toEqual([said]);
  });

  test('is tried again when it cannot be held, and nothing is said of it', async () => {
    const { reconcile, faults, virtualNode } = await startWorld();
    faults.plan = faultOn(({ verb }) => verb === 'patch', refusal(500));
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect((await virtualNode())?.status).toBeUndefined();
  });
});
