import { annotations, labels } from '@liqo/api';
import { isConflict, mergePatch, Pod, Secret } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noAddresses } from '../addresses/address-source.ts';
import { startQuietKubeletWorld } from '../testing/quiet-kubelet-world.ts';
import { LocalPodStatus } from './local-pod-status.ts';
import { PodTokens } from './pod-tokens.ts';

const key = { namespace: 'shop', name: 'web' };
const secretKey = { namespace: 'shop-rome', name: 'web-token' };
const remote = { name: secretKey.namespace };
const route = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  nodeName: 'mynode',
  remoteNamespace: remote.name,
  consumerApiServer: { host: 'kubernetes.default', port: '443' },
};

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'its-uid' };

async function startWorld() {
  const world = await startQuietKubeletWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, context, cacheOf, run, faults } = world;
  const sources = [{ serviceAccountToken: { path: 'token', expirationSeconds: 3600 } }];
  const local = await admin.create(Pod, {
    metadata: key,
    spec: {
      nodeName: 'mynode',
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image: 'i' }],
      volumes: [{ name: 'access', projected: { sources } }],
    },
  });
  const options = {
    context,
    pods: await cacheOf(Pod),
    nodeAddress: '127.0.0.1',
    addresses: noAddresses,
  };
  const tokens = new PodTokens(context, new LocalPodStatus(options));
  const pod = { local, route, session: { client }, remote };
  return {
    ...world,
    ensure: () => tokens.ensure(pod, undefined, run),
    withdraw: () => tokens.withdraw(pod, run.signal),
    withdrawOrphaned: () => tokens.withdrawOrphaned(key, pod, run.signal),
    createSecret: (uid = local.metadata.uid, ownerReferences: (typeof owner)[] = []) =>
      admin.create(Secret, {
        metadata: {
          ...secretKey,
          ownerReferences,
          labels: { [labels.origin]: 'rome', [labels.destination]: 'milan' },
          annotations: { [annotations.serviceAccountForPodUid]: uid },
        },
      }),
    secret: () => admin.get(Secret, secretKey),
    meanwhile: (verb: string, before: () => Promise<unknown>) => {
      const isMeant = (call: { verb: string; resource: string }) =>
        call.verb === verb && call.resource === 'secrets';
      faults.plan = faultOn(isMeant, { before });
    },
  };
}

describe('the tokens of a pod', () => {
  test('are not renewed over what somebody has just written', async () => {
    const { admin, createSecret, ensure, meanwhile, secret } = await startWorld();
    await createSecret();
    const notes = mergePatch({ metadata: { annotations: { note: 'kept' } } });
    meanwhile('update', () => admin.patch(Secret, secretKey, notes));
    expect(await rejection(ensure())).toSatisfy(isConflict);
    expect((await secret())?.metadata.annotations).toMatchObject({ note: 'kept' });
  });

  test('keep whom they go with when they are renewed', async () => {
    const { createSecret, ensure, secret } = await startWorld();
    await createSecret(undefined, [owner]);
    await ensure();
    expect(await secret()).toMatchObject({
      metadata: { ownerReferences: [owner] },
      data: expect.any(Object),
    });
  });

  test('go with it, and those of another one of its name stay', async () => {
    const { createSecret, withdraw, secret, admin } = await startWorld();
    await createSecret('another');
    await withdraw();
    expect(await secret()).toBeDefined();
    await admin.delete(Secret, secretKey);
    await createSecret();
    await withdraw();
    expect(await secret()).toBeUndefined();
  });

  test('are orphaned only when the server says that the pod is gone', async () => {
    const { admin, createSecret, withdrawOrphaned, secret } = await startWorld();
    await createSecret();
    await withdrawOrphaned();
    expect(await secret()).toBeDefined();
    await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    await withdrawOrphaned();
    expect(await secret()).toBeUndefined();
  });

  test('are orphaned although another pod has its name by now', async () => {
    const { createSecret, withdrawOrphaned, secret } = await startWorld();
    await createSecret('predecessor');
    await withdrawOrphaned();
    expect(await secret()).toBeUndefined();
  });

  test('may be gone already when they are withdrawn', async () => {
    const { admin, createSecret, withdraw, meanwhile, secret } = await startWorld();
    await createSecret();
    meanwhile('delete', () => admin.delete(Secret, secretKey));
    await withdraw();
    expect(await secret()).toBeUndefined();
  });

  test('that cannot be withdrawn are tried again', async () => {
    const { createSecret, withdraw, faults } = await startWorld();
    await createSecret();
    faults.plan = faultOn(({ verb }) => verb === 'delete', refusal(500));
    expect(await rejection(withdraw())).toMatchObject({ code: 500 });
  });
});
