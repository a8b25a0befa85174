import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { labels } from '@liqo/api';
import { mergePatch, Namespace, Secret } from '@liqo/kube';
import { forgeSignedNonce } from '@liqo/model';
import { isWrite } from '@liqo/testkit/faults';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type ConsumerWorld,
  startConsumerWorld,
  tenantNamespace,
} from '../testing/consumer-world.ts';
import { generateClusterKey } from './cluster-keys.ts';

let world: ConsumerWorld;

beforeEach(async () => {
  world = await startConsumerWorld();
});

afterEach(() => world[Symbol.asyncDispose]());

const nonce = randomBytes(64).toString('base64');
const key = { namespace: tenantNamespace, name: 'liqo-signed-nonce' };
const route = { provider: 'milan', tenantNamespace, nonce };
const reasons = () => [...new Set(world.events.map(({ reason }) => reason))];
const writes = () =>
  world.rome.faults.calls.filter((call) => isWrite(call) && call.resource === 'secrets');

async function signature(): Promise<Buffer | undefined> {
  const secret = await world.rome.admin.get(Secret, key);
  const value = secret?.data?.signedNonce;
  return value === undefined ? undefined : Buffer.from(value, 'base64');
}

async function isSigned(text: string): Promise<boolean> {
  const bytes = await signature();
  const publicKey = createPublicKey(await world.key());
  const algorithm = publicKey.asymmetricKeyType === 'rsa' ? 'sha256' : undefined;
  return bytes !== undefined && verify(algorithm, Buffer.from(text), publicKey, bytes);
}

test.each([['ed25519'], ['rsa']] as const)(
  'a nonce is signed with the key of the cluster (%s)',
  async (type) => {
    world.start({ newKey: () => generateClusterKey(type) });
    await world.rome.admin.create(Secret, forgeSignedNonce(route));
    await world.pass(2_000);
    expect(await isSigned(nonce)).toBe(true);
    const before = writes().length;
    await world.pass(120_000);
    expect(writes()).toHaveLength(before);
  },
);

test('a signature that a person changed is written again', async () => {
  world.start();
  await world.rome.admin.create(Secret, forgeSignedNonce(route));
  await world.pass(2_000);
  const other = mergePatch({ data: { signedNonce: btoa('x') } });
  await world.rome.admin.patch(Secret, key, other);
  await world.pass(2_000);
  expect(await isSigned(nonce)).toBe(true);
});

test('another nonce gets another signature', async () => {
  world.start();
  await world.rome.admin.create(Secret, forgeSignedNonce(route));
  await world.pass(2_000);
  const next = randomBytes(64).toString('base64');
  await world.rome.admin.patch(Secret, key, mergePatch({ data: { nonce: btoa(next) } }));
  await world.pass(2_000);
  expect(await isSigned(next)).toBe(true);
});

test('a Secret without a nonce waits for one', async () => {
  world.start();
  await world.rome.admin.create(Secret, { ...forgeSignedNonce(route), data: {} });
  await world.pass(2_000);
  expect([await signature(), reasons()]).toEqual([undefined, []]);
});

test.each([
  ['a certificate request', 'MIGfMFECAQAwHjEQMA4GA1UEChMHbGlxby5pbzEKMAgGA1UEAxMB'],
  ['a text', 'sign this'],
  ['a nonce with a line break', `${nonce}\n`],
])('%s is not signed', async (_, text) => {
  world.start();
  await world.rome.admin.create(Secret, forgeSignedNonce({ ...route, nonce: text }));
  await world.pass(2_000);
  expect([await signature(), reasons()]).toEqual([undefined, ['InvalidNonce']]);
});

test('a nonce is signed in the tenant namespace of its provider only', async () => {
  await world.rome.admin.create(Namespace, {
    metadata: {
      name: 'liqo-tenant-turin',
      labels: { [labels.tenantNamespace]: 'true', [labels.remoteClusterID]: 'turin' },
    },
  });
  world.start();
  const misplaced = { ...route, tenantNamespace: 'liqo-tenant-turin' };
  await world.rome.admin.create(Secret, forgeSignedNonce(misplaced));
  await world.pass(2_000);
  expect(reasons()).toEqual(['NotInTenantNamespace']);
  expect(writes().map(({ path }) => path)).not.toContain('liqo-tenant-turin');
});
