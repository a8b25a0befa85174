import { VirtualNode } from '@liqo/api';
import {
  ClusterRoleBinding,
  Deployment,
  mergePatch,
  NetworkPolicy,
  Role,
  RoleBinding,
  ServiceAccount,
} from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { type ApiCall, faultOn, refusal } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import {
  defaultOptions,
  tenantNamespace,
  virtualNodeCalled,
} from '../testing/virtual-node-fixtures.ts';
import { ensureKubelet } from './ensure-kubelet.ts';
import type { VirtualNodeWorld } from './virtual-node-world.ts';

async function startWorld() {
  const world = await startQuietWorld([tenantNamespace], [VirtualNode]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, cacheOf, run } = world;
  const virtualNode = await admin.create(VirtualNode, virtualNodeCalled('mynode'));
  const parts = {
    client,
    clusterID: 'rome',
    liqoNamespace: 'liqo',
    kubelets: await cacheOf(Deployment),
    serviceAccounts: await cacheOf(ServiceAccount),
    roles: await cacheOf(Role),
    roleBindings: await cacheOf(RoleBinding),
    clusterRoleBindings: await cacheOf(ClusterRoleBinding),
    networkPolicies: await cacheOf(NetworkPolicy),
  };
  const policies = async () => {
    parts.networkPolicies = await cacheOf(NetworkPolicy);
  };
  const ensure = () =>
    ensureKubelet(parts as unknown as VirtualNodeWorld, virtualNode, defaultOptions, run);
  return { ...world, ensure, policies };
}

const isOfDeployments = ({ resource }: ApiCall) => resource === 'deployments.apps';

test('ensureKubelet() tells what only a person can help with', async () => {
  const { ensure, faults } = await startWorld();
  faults.plan = faultOn(isOfDeployments, refusal(403));
  expect(await ensure()).toMatchObject({ reason: 'KubeletRefused' });
});

test('ensureKubelet() fails when the server does, so that it is tried again', async () => {
  const { ensure, faults } = await startWorld();
  faults.plan = faultOn(isOfDeployments, refusal(500));
  expect(await rejection(ensure())).toMatchObject({ code: 500 });
});

test('ensureKubelet() makes a NetworkPolicy for the virtual kubelet, and puts it right when it is changed', async () => {
  const { admin, ensure, policies } = await startWorld();
  await ensure();
  const key = { namespace: tenantNamespace, name: 'vk-mynode' };
  const made = await admin.get(NetworkPolicy, key);
  expect(made?.spec?.ingress).toEqual([{ ports: [{ port: 10_250, protocol: 'TCP' }] }]);
  await admin.patch(NetworkPolicy, key, mergePatch({ spec: { ingress: [{}] } }));
  await policies();
  await ensure();
  expect((await admin.get(NetworkPolicy, key))?.spec).toEqual(made?.spec);
});
