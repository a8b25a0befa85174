import { finalizers, labels } from '@liqo/api';
import { mergePatch, Namespace, RoleBinding, Secret } from '@liqo/kube';
import { forgeTenantAccess } from '@liqo/model';
import { rejection } from '@liqo/testkit';
import { isWrite } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { tenantNamespaces } from '../selections.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { TenantAccessReconciler } from './reconcile-tenant-access.ts';
import { tenantBindings } from './tenant-secrets.ts';

const name = 'milan';
const role = 'liqo-controller-manager-tenant';
const key = { namespace: name, name: role };
const marks = { [labels.tenantNamespace]: 'true', [labels.remoteClusterID]: 'milan' };

async function startWorld() {
  const world = await startQuietWorld([]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, cacheOf, run, faults } = world;
  const metadata = { name, labels: marks, finalizers: ['example.org/test'] };
  await admin.create(Namespace, { metadata });
  /** A reconciler whose caches show what exists now. */
  const look = async () => {
    const namespaces = await cacheOf(Namespace, { selection: tenantNamespaces });
    const bindings = await cacheOf(RoleBinding, { selection: tenantBindings });
    const options = { client, liqoNamespace: 'liqo', namespaces, bindings };
    const reconciler = new TenantAccessReconciler(options);
    return () => reconciler.reconcile({ name }, run);
  };
  return {
    admin,
    faults,
    look,
    reconcile: async () => (await look())(),
    binding: () => admin.get(RoleBinding, key),
    hold: (finalizer = finalizers.replicator as string) =>
      admin.create(Secret, {
        metadata: { namespace: name, name: 'credentials', finalizers: [finalizer] },
      }),
    secret: () => admin.get(Secret, { namespace: name, name: 'credentials' }),
    unlabel: () =>
      admin.patch(
        Namespace,
        { name },
        mergePatch({ metadata: { labels: { [labels.tenantNamespace]: null } } }),
      ),
  };
}

test('a tenant namespace gets the RoleBinding, once', async () => {
  const { reconcile, binding, faults } = await startWorld();
  expect(await reconcile()).toEqual({ type: 'done' });
  expect(await binding()).toMatchObject({ roleRef: { name: role } });
  await reconcile();
  expect(faults.calls.filter(isWrite)).toHaveLength(1);
});

test('subjects that were added are removed', async () => {
  const { admin, reconcile, binding } = await startWorld();
  await reconcile();
  const found = await binding();
  const intruder = { kind: 'ServiceAccount', name: 'default', namespace: 'shop' };
  const subjects = [...(found?.subjects ?? []), intruder];
  if (found) await admin.update(RoleBinding, { ...found, subjects });
  await reconcile();
  expect((await binding())?.subjects).toEqual(forgeTenantAccess(name, 'liqo').subjects);
});

test('a RoleBinding of that name with another role is left alone, and named', async () => {
  const { admin, reconcile, binding } = await startWorld();
  const { metadata: _, roleRef, ...rest } = forgeTenantAccess(name, 'liqo');
  await admin.create(RoleBinding, {
    ...rest,
    metadata: key,
    roleRef: { ...roleRef, name: 'view' },
  });
  expect(await rejection(reconcile())).toMatchObject({
    reason: 'AccessTaken',
    message: expect.stringContaining('refers to another role: delete it'),
  });
  expect((await binding())?.roleRef.name).toBe('view');
});

test('the rights are kept in a namespace that is being deleted until its Secrets are released', async () => {
  const { admin, reconcile, binding, hold, secret } = await startWorld();
  await reconcile();
  await hold();
  await admin.delete(Namespace, { name });
  await admin.delete(RoleBinding, key);
  expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
  expect(await binding()).toBeDefined();
  const held = await secret();
  if (held) {
    const { finalizers: __, ...metadata } = held.metadata;
    await admin.update(Secret, { ...held, metadata });
  }
  expect(await reconcile()).toEqual({ type: 'done' });
  expect(await binding()).toBeUndefined();
});

test('the rights end, and Secrets are released, when a namespace is no tenant namespace any more', async () => {
  const { reconcile, binding, hold, secret, unlabel } = await startWorld();
  await reconcile();
  await hold();
  await unlabel();
  expect(await reconcile()).toEqual({ type: 'done' });
  expect(await binding()).toBeUndefined();
  expect((await secret())?.metadata.finalizers).toBeUndefined();
});

test('a RoleBinding that is deleted by a person can go, and is created again', async () => {
  const { admin, reconcile, binding } = await startWorld();
  await reconcile();
  const before = await binding();
  await admin.delete(RoleBinding, key);
  await reconcile();
  expect(await binding()).toBeUndefined();
  await reconcile();
  expect((await binding())?.metadata.uid).not.toBe(before?.metadata.uid);
});

test('Secrets are not listed once the rights on them have ended, while a cache still shows the RoleBinding', async () => {
  const { admin, faults, look, reconcile } = await startWorld();
  await reconcile();
  await admin.delete(Namespace, { name });
  await admin.delete(RoleBinding, key);
  const stale = await look();
  await stale();
  const lists = () =>
    faults.calls.filter(({ resource, verb }) => verb === 'list' && resource === 'secrets');
  const before = lists().length;
  expect(await stale()).toEqual({ type: 'done' });
  expect(lists()).toHaveLength(before);
});
