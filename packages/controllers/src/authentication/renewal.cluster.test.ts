import { generateKeyPairSync } from 'node:crypto';
import { Identity, labels, Renew } from '@liqo/api';
import { type Json, mergePatch, Secret } from '@liqo/kube';
import type { AuthParams } from '@liqo/model';
import { isWrite } from '@liqo/testkit/faults';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type ConsumerWorld,
  day,
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
const renew = () => world.rome.admin.get(Renew, key);
const reasons = () => [...new Set(world.events.map(({ reason }) => reason))];
const certificate = async () => (await world.identity())?.spec?.authParams?.signedCRT;

/** What the replication brings back. */
async function answer(authParams: AuthParams): Promise<void> {
  const patch = mergePatch({ status: { authParams: null } });
  await world.rome.admin.patch(Renew, key, patch, { subresource: 'status' });
  const next = mergePatch({ status: { authParams } } as unknown as Json);
  await world.rome.admin.patch(Renew, key, next, { subresource: 'status' });
  await world.pass(2_000);
}

test('an Identity of the control plane has a Renew as Liqo makes it', async () => {
  await world.createIdentity(await world.issue());
  await world.pass(2_000);
  const { metadata, spec } = (await renew()) ?? {};
  expect(metadata?.labels).toEqual({
    'liqo.io/remote-cluster-id': 'milan',
    'liqo.io/remoteID': 'milan',
    'liqo.io/replication': 'true',
  });
  expect(metadata?.ownerReferences).toMatchObject([
    { kind: 'Identity', uid: (await world.identity())?.metadata.uid, controller: true },
  ]);
  expect(spec).toEqual({ consumerClusterID: 'rome', identityType: 'ControlPlane' });
});

test('an Identity of a slice has none', async () => {
  const metadata = { ...key, name: 'resourceslice-mypool' };
  await world.rome.admin.create(Identity, {
    metadata,
    spec: { clusterID: 'milan', type: 'ResourceSlice' },
  });
  await world.pass(2_000);
  expect((await world.rome.admin.list(Renew)).items).toEqual([]);
});

test('a Renew that a person changes or deletes is as before', async () => {
  await world.createIdentity(await world.issue());
  await world.pass(2_000);
  await world.rome.admin.patch(
    Renew,
    key,
    mergePatch({ metadata: { labels: { [labels.replication]: null } } }),
  );
  await world.pass(2_000);
  expect((await renew())?.metadata.labels?.[labels.replication]).toBe('true');
  await world.rome.admin.delete(Renew, key);
  await world.pass(2_000);
  expect(await renew()).toBeDefined();
});

test('a renewed certificate goes into the Identity, and from there into the kubeconfig', async () => {
  await world.createIdentity({
    ...(await world.issue({ forMs: day })),
    proxyURL: 'http://10.0.0.9:8118',
  });
  await world.pass(day / 2);
  const next = await world.issue({ forMs: day });
  await answer(next);
  expect((await world.identity())?.spec?.authParams).toEqual(next);
  const secretKey = { namespace: tenantNamespace, name: `kubeconfig-${key.name}` };
  const secret = await world.rome.admin.get(Secret, secretKey);
  expect(atob(secret?.data?.kubeconfig ?? '')).toContain(next.signedCRT ?? '-');
  const before = world.rome.faults.calls.filter(isWrite).length;
  await world.pass(60 * 60_000);
  expect(world.rome.faults.calls.filter(isWrite)).toHaveLength(before);
});

test.each<[string, Parameters<ConsumerWorld['issue']>[0], object]>([
  ['for another key', { key: generateKeyPairSync('ed25519').privateKey }, {}],
  ['for another user', { subject: { commonName: 'turin', organization: 'liqo.io' } }, {}],
  ['for another group', { subject: { commonName: 'rome', organization: 'system:masters' } }, {}],
  ['with the address of a metadata service', {}, { apiServer: 'https://169.254.169.254' }],
  [
    'with AWS credentials',
    {},
    {
      awsConfig: {
        awsUserArn: '',
        awsAccessKeyID: '',
        awsSecretAccessKey: '',
        awsRegion: '',
        awsClusterName: '',
      },
    },
  ],
])('a certificate %s is refused with an Event', async (_, options, more) => {
  const first = await world.issue();
  await world.createIdentity(first);
  await world.pass(60_000);
  await answer({ ...(await world.issue(options)), ...more });
  expect([await certificate(), reasons()]).toEqual([first.signedCRT, ['RenewalRefused']]);
});

test.each<[string, Parameters<ConsumerWorld['issue']>[0]]>([
  ['an earlier certificate', { fromMs: -day, forMs: 700 * day }],
  ['an expired certificate', { fromMs: -day, forMs: 60_000 }],
])('%s that comes back changes nothing', async (_, options) => {
  const first = await world.issue();
  await world.createIdentity(first);
  await world.pass(60_000);
  await answer(await world.issue(options));
  expect([await certificate(), reasons()]).toEqual([first.signedCRT, []]);
});

test('a certificate that is valid later is used once it is', async () => {
  await world.createIdentity(await world.issue());
  await world.pass(2_000);
  const next = await world.issue({ fromMs: 60 * 60_000 });
  await answer(next);
  expect(await certificate()).not.toBe(next.signedCRT);
  await world.pass(60 * 60_000);
  expect(await certificate()).toBe(next.signedCRT);
});

test('an expired certificate is replaced by any valid one', async () => {
  await world.createIdentity(await world.issue({ forMs: 60_000 }));
  await world.pass(day);
  const next = await world.issue({ fromMs: -2 * day });
  await answer(next);
  expect(await certificate()).toBe(next.signedCRT);
});

test('a Renew of something else is left alone', async () => {
  await world.rome.admin.create(Renew, { metadata: key, spec: { consumerClusterID: 'turin' } });
  const first = await world.issue();
  await world.createIdentity(first);
  await world.pass(60_000);
  await answer(await world.issue());
  expect([await certificate(), reasons()]).toEqual([first.signedCRT, ['RenewalRefused']]);
  expect((await renew())?.metadata.ownerReferences).toBeUndefined();
});
