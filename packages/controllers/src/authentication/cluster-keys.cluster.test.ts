import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mergePatch, Secret } from '@liqo/kube';
import { isWrite } from '@liqo/testkit/faults';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ConsumerWorld, keysKey, startConsumerWorld } from '../testing/consumer-world.ts';
import { generateClusterKey, readClusterKeys } from './cluster-keys.ts';
import { ClusterKeysReconciler } from './reconcile-cluster-keys.ts';

let world: ConsumerWorld;

beforeEach(async () => {
  world = await startConsumerWorld();
});

afterEach(() => world[Symbol.asyncDispose]());

const stored = () => world.rome.admin.get(Secret, keysKey);

function pemsOf(type: 'ec' | 'ed25519') {
  const pair =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  return {
    privateKey: pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: pair.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  };
}

function secretWith(data: Record<string, string>): Secret {
  const encoded = Object.entries(data).map(([key, value]) => [key, btoa(value)]);
  return { metadata: keysKey, data: Object.fromEntries(encoded) };
}

test('the keys of a cluster are made once, as Liqo names and writes them', async () => {
  world.start();
  await world.pass(1_000);
  const secret = await stored();
  expect(secret).toMatchObject({
    type: 'Opaque',
    metadata: { labels: { 'liqo.io/managed': 'true' } },
  });
  const [privatePem, publicPem] = ['privateKey', 'publicKey'].map((key) =>
    atob(secret?.data?.[key] ?? ''),
  );
  // As many bytes as those of the recorded Secret.
  expect([privatePem?.length, publicPem?.length]).toEqual([119, 113]);
  await world.stop();
  world.start();
  await world.pass(60_000);
  expect((await stored())?.metadata.resourceVersion).toBe(secret?.metadata.resourceVersion);
});

test('the keys are RSA in TLS compatibility mode', async () => {
  world.start({ newKey: () => generateClusterKey('rsa') });
  await world.pass(1_000);
  const secret = await stored();
  const read = secret && readClusterKeys(secret);
  expect(read).toMatchObject({ type: 'keys', keys: { privateKey: { asymmetricKeyType: 'rsa' } } });
});

test('two replicas that both find no keys make one pair', async () => {
  const { client, events } = world.context;
  // What both read before the other one wrote.
  const unaware = { get: async () => undefined, apply: client.apply.bind(client) } as never;
  const blind = { get: () => undefined, list: () => [] } as never;
  const reconcilers = [1, 2].map(
    () =>
      new ClusterKeysReconciler({
        // What it read before the other one wrote.
        client: unaware,
        events,
        secrets: blind,
        newKey: () => generateClusterKey('ed25519'),
      }),
  );
  const run = { signal: new AbortController().signal, log: world.context.log } as never;
  const [first, second] = reconcilers;
  await first?.reconcile(keysKey, run);
  const made = await stored();
  await second?.reconcile(keysKey, run);
  expect((await stored())?.data).toEqual(made?.data);
});

const good = pemsOf('ed25519');

test.each([
  ['no data', {}],
  ['no public key', { privateKey: good.privateKey }],
  ['the public key of another pair', { ...good, publicKey: pemsOf('ed25519').publicKey }],
  ['a private key that is none', { ...good, privateKey: 'x' }],
  ['a private key that is cut', { ...good, privateKey: good.privateKey.slice(0, 80) }],
  ['keys of ECDSA', pemsOf('ec')],
])('keys with %s are reported and never changed', async (_, data) => {
  await world.rome.admin.create(Secret, secretWith(data));
  const before = await stored();
  world.start();
  await world.pass(60_000);
  expect((await stored())?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  expect(world.events.map(({ reason }) => reason)).toContain('InvalidClusterKeys');
  expect(JSON.stringify(world.events)).not.toContain(good.privateKey.split('\n')[1]);
  const ofSecrets = world.rome.faults.calls.filter(({ resource }) => resource === 'secrets');
  expect(ofSecrets.filter(isWrite)).toEqual([]);
});

test('keys that a person repairs are used', async () => {
  await world.rome.admin.create(Secret, secretWith({}));
  world.start();
  await world.pass(5_000);
  await world.createIdentity(await world.issue({ key: createPrivateKey(good.privateKey) }));
  await world.pass(5_000);
  const ready = async () => (await world.identity())?.status?.conditions?.[0];
  expect(await ready()).toMatchObject({ status: 'False', reason: 'NoClusterKeys' });
  const { data } = secretWith(good);
  await world.rome.admin.patch(Secret, keysKey, mergePatch({ data: data ?? {} }));
  await world.pass(5_000);
  expect(await ready()).toMatchObject({ status: 'True', reason: 'IdentityReady' });
});
