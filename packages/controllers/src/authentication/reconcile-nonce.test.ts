import { annotations, labels } from '@liqo/api';
import { mergePatch, Namespace, Secret } from '@liqo/kube';
import { forgeNonceSecret, forgeTenantNamespace, nonceLifetimeMs } from '@liqo/model';
import { rejection } from '@liqo/testkit';
import { faultOn, isWrite, noFaults, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tenantNamespaces } from '../selections.ts';
import { grantTenantAccess } from '../testing/installation.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { NonceReconciler } from './reconcile-nonce.ts';

const name = 'liqo-tenant-rome';
const key = { namespace: name, name: 'liqo-nonce' };

async function startWorld() {
  const world = await startQuietWorld([]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, recorder: events, run, cacheOf, faults } = world;
  await admin.create(Namespace, forgeTenantNamespace('rome'));
  await grantTenantAccess(admin, name);
  let seed = 0;
  const look = async () => ({
    namespaces: await cacheOf(Namespace, { selection: tenantNamespaces }),
    nonces: await cacheOf(Secret, { selection: { labelSelector: labels.nonce } }),
  });
  const nonce = async () =>
    Buffer.from((await admin.get(Secret, key))?.data?.nonce ?? '', 'base64').toString();
  return {
    ...world,
    look,
    nonce,
    ask: (where = name) => admin.create(Secret, forgeNonceSecret('rome', where)),
    writes: () => faults.calls.filter(isWrite).length,
    async reconcile(caches = look(), namespace = name) {
      const randomBytes = (size: number) => new Uint8Array(size).fill(++seed);
      const context = { client, clock, events, randomBytes, ...(await caches) };
      return new NonceReconciler(context).reconcile({ name: namespace }, run);
    },
  };
}

const nth = (seed: number) => Buffer.alloc(64, seed).toString('base64');

describe('a Secret for a nonce', () => {
  test('gets the base64 text of 64 random bytes', async () => {
    const { ask, reconcile, nonce, events } = await startWorld();
    await ask();
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: nonceLifetimeMs });
    expect(await nonce()).toBe(nth(1));
    expect(await nonce()).toHaveLength(88);
    expect(events.map(({ reason }) => reason)).toEqual(['NonceGenerated']);
  });

  test('keeps its nonce for a day, and then gets a new one', async () => {
    const { ask, reconcile, nonce, clock, writes, events } = await startWorld();
    await ask();
    await reconcile();
    const before = writes();
    await clock.advance(nonceLifetimeMs - 1_000);
    expect(await reconcile()).toMatchObject({ delayMs: 1_000 });
    expect(writes()).toBe(before);
    await clock.advance(1_000);
    await reconcile();
    expect(await nonce()).toBe(nth(2));
    expect(events.map(({ reason }) => reason)).toEqual(['NonceGenerated', 'NonceExpired']);
  });

  test('does not keep a nonce that the applicant has put into it', async () => {
    const { admin, ask, reconcile, nonce } = await startWorld();
    await ask();
    const data = { nonce: Buffer.from('known').toString('base64') };
    await admin.patch(Secret, key, mergePatch({ data }));
    await reconcile();
    expect(await nonce()).toBe(nth(1));
  });

  test('does not keep a nonce that the applicant has kept from an earlier Secret', async () => {
    const { admin, ask, reconcile, nonce } = await startWorld();
    await ask();
    await reconcile();
    const old = await admin.get(Secret, key);
    await admin.patch(Secret, key, mergePatch({ data: { nonce: null } }));
    await reconcile();
    await admin.delete(Secret, key);
    await admin.create(Secret, { ...forgeNonceSecret('rome', name), data: old?.data ?? {} });
    await reconcile();
    expect(await nonce()).toBe(nth(3));
  });

  test('keeps a nonce that the caches do not show yet', async () => {
    const { ask, reconcile, nonce, look } = await startWorld();
    await ask();
    const stale = look();
    await stale;
    await reconcile();
    await reconcile(stale);
    expect(await nonce()).toBe(nth(1));
  });

  test.each(['namespaces', 'secrets'])('gets a nonce after a failed write of %s', async (kind) => {
    const { ask, reconcile, nonce, faults } = await startWorld();
    await ask();
    faults.plan = faultOn((call) => isWrite(call) && call.resource === kind, refusal(500));
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    faults.plan = noFaults;
    await reconcile();
    expect(await nonce()).toBe(nth(2));
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    expect(await nonce()).toBe(nth(2));
  });

  test('gets nothing outside of the tenant namespace of its consumer', async () => {
    const { admin, ask, reconcile, writes } = await startWorld();
    for (const other of ['liqo-tenant-oslo', 'shop']) {
      const marks = { [labels.tenantNamespace]: 'true', [labels.remoteClusterID]: 'oslo' };
      const metadata = { name: other, ...(other !== 'shop' && { labels: marks }) };
      await admin.create(Namespace, { metadata });
      await ask(other);
      expect(await reconcile(undefined, other)).toEqual({ type: 'done' });
    }
    expect(writes()).toBe(0);
  });

  test('gets nothing in a second tenant namespace of the same consumer', async () => {
    const { admin, ask, reconcile, writes, clock } = await startWorld();
    await clock.advance(2_000);
    const { metadata } = forgeTenantNamespace('rome');
    await admin.create(Namespace, { metadata: { ...metadata, name: 'zz' } });
    await ask('zz');
    expect(await reconcile(undefined, 'zz')).toEqual({ type: 'done' });
    expect(writes()).toBe(0);
  });

  test('is not written when it was made anew meanwhile', async () => {
    const { admin, ask, reconcile, look, nonce } = await startWorld();
    await ask();
    const stale = look();
    await stale;
    await admin.delete(Secret, key);
    await ask();
    expect(await reconcile(stale)).toEqual({ type: 'done' });
    expect(await nonce()).toBe('');
  });

  test('shows its nonce to nobody who may read the namespace only', async () => {
    const { admin, ask, reconcile, nonce } = await startWorld();
    await ask();
    await reconcile();
    const marks = (await admin.get(Namespace, { name }))?.metadata.annotations ?? {};
    expect(marks[annotations.issuedNonce]).not.toContain(await nonce());
  });
});
