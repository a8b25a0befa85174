import { generateKeyPairSync } from 'node:crypto';
import { ForeignCluster, Identity, labels, VirtualNode } from '@liqo/api';
import { findCondition, mergePatch, Namespace, Secret } from '@liqo/kube';
import { forgeControlPlaneIdentity, sliceSubject } from '@liqo/model';
import { isWrite } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ConsumerWorld,
  day,
  keysKey,
  startConsumerWorld,
  tenantNamespace,
} from '../testing/consumer-world.ts';

let world: ConsumerWorld;

beforeEach(async () => {
  world = await startConsumerWorld();
  world.start();
  await world.pass(2_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const key = { namespace: tenantNamespace, name: 'controlplane-milan' };
const secretKey = { namespace: tenantNamespace, name: 'kubeconfig-controlplane-milan' };
const secret = () => world.rome.admin.get(Secret, secretKey);
const ready = async () => findCondition((await world.identity())?.status?.conditions, 'Ready');
const writes = () => world.rome.faults.calls.filter(isWrite);

async function kubeconfig(name = secretKey.name): Promise<string> {
  const found = await world.rome.admin.get(Secret, { namespace: tenantNamespace, name });
  return atob(found?.data?.kubeconfig ?? '');
}

async function change(spec: object): Promise<void> {
  await world.rome.admin.patch(Identity, key, mergePatch({ spec } as never));
  await world.pass(2_000);
}

/** As the controller of ForeignClusters does. */
async function reportIdentity(reason: string, status: 'NotReady' | 'Ready'): Promise<void> {
  const type = 'AuthIdentityControlPlaneStatus';
  const off = { enabled: false };
  const authentication = { enabled: true, conditions: [{ type, status, reason }] };
  const modules = { authentication, networking: off, offloading: off };
  const patch = mergePatch({ status: { modules } } as never);
  await world.rome.admin.patch(ForeignCluster, { name: 'milan' }, patch, { subresource: 'status' });
  await world.pass(2_000);
}

test('the expiry of the certificate of each Identity is measured, for as long as it exists', async () => {
  await world.createIdentity(await world.issue());
  const sliceKey = { namespace: tenantNamespace, name: 'resourceslice-mypool' };
  const authParams = await world.issue({
    subject: sliceSubject('mypool', 'rome'),
    forMs: 2 * day,
  });
  await world.rome.admin.create(Identity, {
    metadata: sliceKey,
    spec: { clusterID: 'milan', type: 'ResourceSlice', authParams },
  });
  await world.pass(2_000);
  const series = async () =>
    [...(await world.metrics.text()).matchAll(/certificate_expiry\S*\{identity="(.*)"\} (\d+)/g)]
      .map(([, identity, seconds]) => [identity, Number(seconds) * 1_000] as const)
      .toSorted(([one], [other]) => ((one ?? '') < (other ?? '') ? -1 : 1));
  const names = async () => (await series()).map(([identity]) => identity);
  expect(await names()).toEqual([
    `${tenantNamespace}/controlplane-milan`,
    `${tenantNamespace}/resourceslice-mypool`,
  ]);
  const [, ofSlice] = (await series()).map(([, ms]) => ms - world.rome.clock.now());
  expect(ofSlice).toBeGreaterThan(day);
  expect(ofSlice).toBeLessThan(2 * day);
  await world.rome.admin.delete(Identity, sliceKey);
  await world.pass(2_000);
  expect(await names()).toEqual([`${tenantNamespace}/controlplane-milan`]);
});

describe('an Identity of the control plane', () => {
  test('becomes a Secret with the kubeconfig, and says so', async () => {
    const params = await world.issue();
    await world.createIdentity(params);
    await world.pass(2_000);
    const identity = await world.identity();
    expect(identity?.status?.kubeconfigSecretRef).toEqual({ name: secretKey.name });
    expect(await ready()).toMatchObject({ status: 'True', reason: 'IdentityReady' });
    const { metadata } = (await secret()) ?? {};
    expect(metadata?.ownerReferences).toMatchObject([{ uid: identity?.metadata.uid }]);
    const keys = await world.rome.admin.get(Secret, keysKey);
    const text = await kubeconfig();
    expect(text).toContain(params.signedCRT ?? '-');
    expect(text).toContain(keys?.data?.privateKey ?? '-');
    const before = writes().length;
    await world.pass(600_000);
    expect(writes()).toHaveLength(before);
  });

  test('gives its Secret back what a person changed, and keeps what others added', async () => {
    await world.createIdentity(await world.issue());
    await world.pass(2_000);
    const good = await kubeconfig();
    const tampered = mergePatch({
      metadata: { labels: { [labels.identityType]: null, team: 'blue' }, finalizers: ['a/b'] },
      data: { kubeconfig: btoa('x') },
    });
    await world.rome.admin.patch(Secret, secretKey, tampered);
    await world.pass(2_000);
    expect(await kubeconfig()).toBe(good);
    const { labels: marks, finalizers } = (await secret())?.metadata ?? {};
    expect([marks?.team, marks?.[labels.identityType]]).toEqual(['blue', 'ControlPlane']);
    expect(finalizers).toEqual(['a/b']);
  });

  test('makes its Secret again', async () => {
    await world.createIdentity(await world.issue());
    await world.pass(2_000);
    await world.rome.admin.delete(Secret, secretKey);
    await world.pass(2_000);
    expect(await secret()).toBeDefined();
  });

  test('follows renewed credentials', async () => {
    await world.createIdentity(await world.issue({ forMs: day }));
    await world.pass(2_000);
    const next = await world.issue({ forMs: 2 * day });
    await change({ authParams: { ...next } });
    expect(await kubeconfig()).toContain(next.signedCRT ?? '-');
  });

  test('says that its certificate has expired, and heals when it is renewed', async () => {
    await world.createIdentity(await world.issue({ forMs: day }));
    await world.pass(2_000);
    await world.pass(day);
    expect(await ready()).toMatchObject({ status: 'False', reason: 'CertificateExpired' });
    await change({ authParams: { ...(await world.issue()) } });
    expect(await ready()).toMatchObject({ status: 'True' });
  });

  test('says that the provider refuses it, and heals when the provider accepts it', async () => {
    await world.createIdentity(await world.issue());
    const spec = { clusterID: 'milan' };
    await world.rome.admin.create(ForeignCluster, { metadata: { name: 'milan' }, spec });
    await world.pass(2_000);
    await reportIdentity('Unauthorized', 'NotReady');
    expect(await ready()).toMatchObject({ status: 'False', reason: 'Unauthorized' });
    await reportIdentity('IdentityReady', 'Ready');
    expect(await ready()).toMatchObject({ status: 'True', reason: 'IdentityReady' });
  });

  test('says that its certificate is not valid yet, until it is', async () => {
    await world.createIdentity(await world.issue({ fromMs: 60 * 60_000 }));
    await world.pass(2_000);
    expect(await ready()).toMatchObject({ status: 'False', reason: 'CertificateNotYetValid' });
    await world.pass(60 * 60_000);
    expect(await ready()).toMatchObject({ status: 'True' });
  });

  test('keeps the Secret of credentials that worked when the provider gives useless ones', async () => {
    await world.createIdentity(await world.issue());
    await world.pass(2_000);
    const good = await kubeconfig();
    await change({ authParams: { apiServer: 'http://169.254.169.254' } });
    expect(await ready()).toMatchObject({ status: 'False', reason: 'InvalidApiServer' });
    expect(await kubeconfig()).toBe(good);
    expect((await world.identity())?.status?.kubeconfigSecretRef).toBeDefined();
  });

  test.each([
    ['of another key', { key: generateKeyPairSync('ed25519').privateKey }, 'OtherKey'],
    [
      'of another cluster',
      { subject: { commonName: 'turin', organization: 'liqo.io' } },
      'OtherSubject',
    ],
    ['of a slice', { subject: sliceSubject('mypool', 'rome') }, 'OtherSubject'],
  ] as const)('refuses a certificate %s', async (_, options, reason) => {
    await world.createIdentity(await world.issue(options));
    await world.pass(2_000);
    expect(await ready()).toMatchObject({ status: 'False', reason });
    expect(await secret()).toBeUndefined();
  });

  test('has no effect outside of the tenant namespace of its provider', async () => {
    await world.rome.admin.create(Namespace, { metadata: { name: 'elsewhere' } });
    const authParams = await world.issue();
    const route = { provider: 'milan', tenantNamespace: 'elsewhere', remoteNamespace: 'x' };
    await world.rome.admin.create(Identity, forgeControlPlaneIdentity({ ...route, authParams }));
    await world.pass(2_000);
    const identity = await world.rome.admin.get(Identity, { ...key, namespace: 'elsewhere' });
    expect(identity?.status?.conditions).toMatchObject([{ reason: 'NotInTenantNamespace' }]);
    const misplaced = { ...secretKey, namespace: 'elsewhere' };
    expect(await world.rome.admin.get(Secret, misplaced)).toBeUndefined();
  });

  test('leaves a foreign Secret of its name alone, and says so', async () => {
    await world.rome.admin.create(Secret, { metadata: secretKey, data: { kubeconfig: btoa('x') } });
    await world.createIdentity(await world.issue());
    await world.pass(2_000);
    expect(await ready()).toMatchObject({ status: 'False', reason: 'SecretNameTaken' });
    expect(await kubeconfig()).toBe('x');
    await world.rome.admin.delete(Secret, secretKey);
    await world.pass(10_000);
    expect(await ready()).toMatchObject({ status: 'True' });
  });
});

test('an Identity of a slice has the certificate of its user, and says when its virtual nodes are refused', async () => {
  const authParams = await world.issue({ subject: sliceSubject('mypool', 'rome') });
  await world.rome.admin.create(Identity, {
    metadata: {
      name: 'resourceslice-mypool',
      namespace: tenantNamespace,
      labels: { [labels.remoteClusterID]: 'milan', [labels.resourceSliceName]: 'mypool' },
    },
    spec: { clusterID: 'milan', type: 'ResourceSlice', authParams },
  });
  await world.pass(2_000);
  const text = await kubeconfig('kubeconfig-resourceslice-mypool');
  expect(text).toContain(authParams.signedCRT ?? '-');
  expect(text).not.toContain('namespace:');
  const node = { name: 'mypool', namespace: tenantNamespace };
  const secretRef = { name: 'kubeconfig-resourceslice-mypool' };
  const spec = { clusterID: 'milan', createNode: false, kubeconfigSecretRef: secretRef };
  await world.rome.admin.create(VirtualNode, { metadata: node, spec });
  const sliceKey = { namespace: tenantNamespace, name: 'resourceslice-mypool' };
  for (const [reason, expected] of [
    ['RemoteUnauthorized', 'Unauthorized'],
    ['ProviderUnreachable', 'IdentityReady'],
  ] as const) {
    const conditions = [{ type: 'Provider', status: 'Unreachable', reason }];
    const patch = mergePatch({ status: { conditions } });
    await world.rome.admin.patch(VirtualNode, node, patch, { subresource: 'status' });
    await world.pass(2_000);
    const identity = await world.rome.admin.get(Identity, sliceKey);
    expect(identity?.status?.conditions).toMatchObject([{ type: 'Ready', reason: expected }]);
  }
});
