import { annotations, finalizers, fixedNames, labels, NamespaceMap } from '@liqo/api';
import {
  ClusterRole,
  ClusterRoleBinding,
  isAlreadyExists,
  keyString,
  mergePatch,
  Namespace,
  RoleBinding,
} from '@liqo/kube';
import type { TenantLimits } from '@liqo/model';
import { rejection } from '@liqo/testkit';
import { faultOn, isWrite, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ofPeers } from '../selections.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { NamespaceMapReconciler } from './reconcile-namespace-map.ts';

const key = { namespace: 'liqo-tenant-rome', name: 'milan' };
const remote = { name: 'shop-rome' };
const ours = { [annotations.managedByNamespaceMap]: keyString(key) };
const marks = { [labels.remoteClusterID]: 'rome' };

const tenantLimits: TenantLimits = { namespaces: 30, pods: 10, slices: 5 };

const shop = { metadata: { ...remote, labels: marks, annotations: ours } };

async function startWorld() {
  const world = await startQuietWorld([key.namespace], [NamespaceMap]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, run, cacheOf, faults } = world;
  const tenant = { labels: { ...marks, [labels.tenantNamespace]: 'true' } };
  await admin.patch(Namespace, { name: key.namespace }, mergePatch({ metadata: tenant }));
  const look = async () => ({
    maps: await cacheOf(NamespaceMap),
    bindings: await cacheOf(RoleBinding),
    customRoles: await cacheOf(ClusterRole),
    namespaces: await cacheOf(Namespace, { selection: ofPeers }),
  });
  const limits = { tenantLimits, namespacePatterns: ['*-<consumer>', 'argocd'] };
  const base = { client, podSecurity: 'baseline', liqoNamespace: 'liqo', ...limits } as const;
  const context = { ...base, ...(await look()) };
  const reconciler = new NamespaceMapReconciler(context);
  return {
    ...world,
    look,
    reconcile: async (caches = look()) => {
      Object.assign(context, await caches);
      return reconciler.reconcile(key, run);
    },
    createMap: async (desiredMapping: Record<string, string>, currentMapping: object = {}) => {
      const metadata = { ...key, finalizers: [finalizers.namespaceMap] };
      await admin.create(NamespaceMap, { metadata, spec: { desiredMapping } });
      const patch = mergePatch({ status: { currentMapping: { ...currentMapping } } });
      await admin.patch(NamespaceMap, key, patch, { subresource: 'status' });
    },
    map: () => admin.get(NamespaceMap, key),
    mapping: async () => (await admin.get(NamespaceMap, key))?.status?.currentMapping?.shop,
    namespace: () => admin.get(Namespace, remote),
    refuse: (verb: string, resource: string, code: number) => {
      faults.plan = faultOn(
        (call) => call.verb === verb && call.resource.startsWith(resource),
        refusal(code),
      );
    },
    meanwhile: (verb: string, resource: string, before: () => Promise<unknown>) => {
      faults.plan = faultOn((call) => call.verb === verb && call.resource === resource, {
        before,
      });
    },
    deletions: () => faults.calls.filter(({ verb }) => verb === 'delete').map(({ name }) => name),
  };
}

const accepted = { shop: { remoteNamespace: remote.name, phase: 'Accepted' } };

describe('a NamespaceMap that is reconciled', () => {
  test('has the role for custom resources bound in its namespaces while that has rules', async () => {
    const { admin, createMap, reconcile, faults } = await startWorld();
    const name = fixedNames.customRemoteRole;
    const bound = () =>
      admin.get(RoleBinding, { namespace: remote.name, name: `${key.namespace}-custom` });
    await createMap({ shop: remote.name });
    await reconcile();
    expect(await bound()).toBeUndefined();
    const rule = { apiGroups: ['example.org'], resources: ['widgets'], verbs: ['get'] };
    await admin.create(ClusterRole, { metadata: { name }, rules: [rule] });
    await reconcile();
    expect(await bound()).toMatchObject({
      roleRef: { kind: 'ClusterRole', name },
      subjects: [{ kind: 'Group', name: 'rome' }],
    });
    const before = faults.calls.filter(isWrite).length;
    await reconcile();
    expect(faults.calls.filter(isWrite).length).toBe(before);
    await admin.delete(ClusterRole, { name });
    await reconcile();
    expect(await bound()).toBeUndefined();
  });

  test('is held before anything is made for it', async () => {
    const { admin, reconcile, refuse, namespace } = await startWorld();
    await admin.create(NamespaceMap, {
      metadata: key,
      spec: { desiredMapping: { shop: remote.name } },
    });
    refuse('patch', 'namespacemaps', 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect(await namespace()).toBeUndefined();
  });

  test.each([403, 500])(
    'says that a namespace was refused, and is tried again: %d',
    async (code) => {
      const { createMap, reconcile, refuse, mapping } = await startWorld();
      await createMap({ shop: remote.name });
      refuse('create', 'namespaces', code);
      expect(await rejection(reconcile())).toMatchObject({ code });
      expect(await mapping()).toMatchObject({
        phase: 'CreationLoopBackOff',
        reason: 'CreationFailed',
      });
    },
  );

  test.each([
    ['a ClusterRoleBinding', { kind: 'ServiceAccount', namespace: 'argocd', name: 'controller' }],
    ['a group of ServiceAccounts', { kind: 'Group', name: 'system:serviceaccounts:argocd' }],
  ])(
    'refuses a namespace to which %s grants rights, until the grant is gone',
    async (_, subject) => {
      const { admin, createMap, reconcile, mapping } = await startWorld();
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' };
      const binding = { metadata: { name: 'argocd' }, roleRef, subjects: [subject] };
      await admin.create(ClusterRoleBinding, binding);
      await createMap({ shop: 'argocd' });
      await reconcile();
      expect(await mapping()).toMatchObject({
        phase: 'CreationLoopBackOff',
        reason: 'NameGranted',
      });
      expect(await admin.get(Namespace, { name: 'argocd' })).toBeUndefined();
      await admin.delete(ClusterRoleBinding, binding.metadata);
      await reconcile();
      expect(await mapping()).toEqual({ remoteNamespace: 'argocd', phase: 'Accepted' });
    },
  );

  test('makes no namespace that the provider does not list, and keeps one that it made before', async () => {
    const { admin, createMap, reconcile, map } = await startWorld();
    await admin.create(Namespace, { metadata: { ...shop.metadata, name: 'old' } });
    await createMap({ a: 'istio-system', b: 'shop-rome', c: 'old' });
    await reconcile();
    expect((await map())?.status?.currentMapping).toMatchObject({
      a: { phase: 'CreationLoopBackOff', reason: 'NameNotAllowed' },
      b: { phase: 'Accepted' },
      c: { phase: 'Accepted' },
    });
    expect(await admin.get(Namespace, { name: 'istio-system' })).toBeUndefined();
  });

  test('reads the grants once, however many namespaces are asked for', async () => {
    const { createMap, reconcile, faults } = await startWorld();
    await createMap({ a: 'a-rome', b: 'b-rome', c: 'c-rome' });
    await reconcile();
    const lists = faults.calls.filter((call) => /^clusterrolebindings/.test(call.resource));
    expect(lists.map(({ verb }) => verb)).toEqual(['list']);
  });

  test.each(['__proto__', 'constructor', 'toString'])(
    'settles a namespace that the consumer calls %s with one write',
    async (name) => {
      const { createMap, reconcile, map, faults } = await startWorld();
      await createMap(Object.fromEntries([[name, 'odd-rome']]));
      await reconcile();
      const current = new Map(Object.entries((await map())?.status?.currentMapping ?? {}));
      expect([...current.keys()]).toEqual([name]);
      const before = faults.calls.filter(isWrite).length;
      await reconcile();
      expect(faults.calls.filter(isWrite)).toHaveLength(before);
    },
  );

  test('does not take back what it has accepted because of a failure', async () => {
    const { createMap, reconcile, refuse, mapping, admin } = await startWorld();
    await createMap({ shop: remote.name }, accepted);
    await admin.create(Namespace, shop);
    refuse('create', 'rolebindings', 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect(await mapping()).toMatchObject({ phase: 'Accepted' });
  });

  test('keeps accepted a namespace that is being deleted, and looks again until it is gone', async () => {
    const { createMap, reconcile, mapping, admin } = await startWorld();
    await createMap({ shop: remote.name }, accepted);
    const held = { ...shop.metadata, finalizers: ['example.com/held'] };
    await admin.create(Namespace, { metadata: held });
    await admin.delete(Namespace, remote);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 2_000 });
    expect(await mapping()).toMatchObject({ phase: 'Accepted', reason: 'Terminating' });
  });

  test('does not accept a namespace that somebody else was quicker to make', async () => {
    const { admin, createMap, reconcile, meanwhile, mapping } = await startWorld();
    await createMap({ shop: remote.name });
    meanwhile('create', 'namespaces', () => admin.create(Namespace, { metadata: remote }));
    expect(isAlreadyExists(await rejection(reconcile()))).toBe(true);
    expect(await mapping()).toMatchObject({ phase: 'CreationLoopBackOff' });
    const { items } = await admin.list(RoleBinding, { namespace: remote.name });
    expect(items).toEqual([]);
  });

  test('accepts its own namespace, though it was made a moment ago', async () => {
    const { admin, createMap, reconcile, meanwhile, mapping } = await startWorld();
    await createMap({ shop: remote.name });
    meanwhile('create', 'namespaces', () => admin.create(Namespace, shop));
    await reconcile();
    expect(await mapping()).toMatchObject({ phase: 'Accepted' });
  });

  test('labels the namespace that it has looked at, and no later one of its name', async () => {
    const { admin, createMap, reconcile, faults } = await startWorld();
    await createMap({ shop: remote.name });
    const { metadata } = await admin.create(Namespace, {
      metadata: { ...remote, annotations: ours },
    });
    await reconcile();
    const patch = faults.calls.find(
      ({ resource, verb }) => `${verb} ${resource}` === 'patch namespaces',
    );
    expect(JSON.parse(String(patch?.body))).toEqual({
      metadata: { uid: metadata.uid, labels: marks },
    });
  });

  test('deletes what is not wanted any more, once, and nothing that is not its own', async () => {
    const { admin, createMap, reconcile, deletions, namespace } = await startWorld();
    const theirs = { remoteNamespace: 'theirs', phase: 'Accepted' };
    await createMap({}, { ...accepted, other: theirs });
    await admin.create(Namespace, shop);
    await admin.create(Namespace, { metadata: { name: 'theirs', labels: marks } });
    await reconcile();
    expect((await namespace())?.metadata.deletionTimestamp).toBeDefined();
    await reconcile();
    expect(deletions()).toEqual([remote.name]);
  });

  test('that is gone leaves nothing behind, and the server alone says that it is gone', async () => {
    const { admin, createMap, look, reconcile, deletions } = await startWorld();
    await admin.create(Namespace, shop);
    const behind = look();
    await behind;
    await createMap({ shop: remote.name }, accepted);
    await reconcile(behind);
    expect(deletions()).toEqual([]);
    const patch = mergePatch({ metadata: { finalizers: [] } });
    await admin.patch(NamespaceMap, key, patch);
    await admin.delete(NamespaceMap, key);
    await reconcile();
    expect(deletions()).toEqual([remote.name]);
  });

  test('that goes is held until its last namespace is gone, also one that it does not mention', async () => {
    const { admin, createMap, reconcile, map, deletions } = await startWorld();
    await createMap({});
    await admin.delete(NamespaceMap, key);
    await admin.create(Namespace, shop);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
    expect(deletions()).toEqual([remote.name]);
    expect((await map())?.metadata.finalizers).toEqual([finalizers.namespaceMap]);
  });

  test('that goes is held until its last namespace is gone, also one that the cache does not show yet', async () => {
    const { admin, createMap, look, reconcile, map, deletions } = await startWorld();
    await createMap({}, accepted);
    await admin.delete(NamespaceMap, key);
    const behind = look();
    await behind;
    await admin.create(Namespace, shop);
    expect(await reconcile(behind)).toMatchObject({ type: 'requeueAfter' });
    expect(deletions()).toEqual([remote.name]);
    expect((await map())?.metadata.finalizers).toEqual([finalizers.namespaceMap]);
  });

  test('that goes is tried again when a namespace cannot be deleted', async () => {
    const { admin, createMap, reconcile, refuse, map } = await startWorld();
    await createMap({}, accepted);
    await admin.delete(NamespaceMap, key);
    await admin.create(Namespace, shop);
    refuse('delete', 'namespaces', 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect((await map())?.metadata.finalizers).toEqual([finalizers.namespaceMap]);
  });

  test.each(['..', 'a/b', 'Shop', 'shop\u0000'])(
    'that goes is let go although "%s", which is no name, was wanted',
    async (name) => {
      const { admin, reconcile, createMap, map } = await startWorld();
      await createMap({ shop: name });
      await reconcile();
      expect((await map())?.status?.currentMapping?.shop).toMatchObject({ reason: 'InvalidName' });
      await admin.delete(NamespaceMap, key);
      expect(await reconcile()).toEqual({ type: 'done' });
      expect(await map()).toBeUndefined();
    },
  );

  test('that goes and has nothing left is let go', async () => {
    const { admin, createMap, reconcile, map } = await startWorld();
    await createMap({});
    await admin.delete(NamespaceMap, key);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await map()).toBeUndefined();
  });
});

/** Names at the consumer and at the provider: `ns-000: ns-000-rome`. */
function manyNames(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => `ns-${String(i).padStart(3, '0')}`);
  return Object.fromEntries(names.map((name) => [name, `${name}-rome`]));
}

describe('a NamespaceMap with many namespaces', () => {
  test('is worked on in turns of 20 namespaces', async () => {
    const { createMap, reconcile, faults } = await startWorld();
    await createMap(manyNames(25));
    const created = () =>
      faults.calls.filter(({ verb, resource }) => `${verb} ${resource}` === 'create namespaces');
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 0 });
    expect(created()).toHaveLength(20);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(created()).toHaveLength(25);
  });

  test('is done when its limit is reached, with the reason on every namespace beyond it', async () => {
    const { admin, createMap, reconcile, map, faults } = await startWorld();
    await createMap(manyNames(200));
    await reconcile();
    await reconcile();
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 10_000 });
    const mappings = Object.values((await map())?.status?.currentMapping ?? {});
    const reasons = mappings.map(({ phase, reason }) => reason ?? phase);
    expect(reasons.filter((reason) => reason === 'Accepted')).toHaveLength(30);
    expect(reasons.filter((reason) => reason === 'TenantLimitReached')).toHaveLength(170);
    const { items } = await admin.list(Namespace, {
      labelSelector: `${labels.remoteClusterID}=rome`,
    });
    expect(items).toHaveLength(31);
    faults.calls.length = 0;
    await reconcile();
    expect(faults.calls).toEqual([]);
  });

  test('gets a namespace that was beyond the limit when another one no longer belongs to the consumer', async () => {
    const { admin, createMap, reconcile, map } = await startWorld();
    await createMap(manyNames(31));
    for (let turn = 0; turn < 3; turn++) await reconcile();
    const taken = { [annotations.managedByNamespaceMap]: null };
    const change = mergePatch({ metadata: { annotations: taken } });
    await admin.patch(Namespace, { name: 'ns-000-rome' }, change);
    await reconcile();
    const last = (await map())?.status?.currentMapping?.['ns-030'];
    expect(last).toEqual({ remoteNamespace: 'ns-030-rome', phase: 'Accepted' });
  });

  test('counts the namespaces of all maps of a consumer', async () => {
    const { admin, createMap, reconcile, mapping } = await startWorld();
    for (const name of Object.values(manyNames(30))) {
      const other = { [annotations.managedByNamespaceMap]: `${key.namespace}/other` };
      await admin.create(Namespace, { metadata: { name, labels: marks, annotations: other } });
    }
    await createMap({ shop: remote.name });
    await reconcile();
    expect(await mapping()).toMatchObject({ reason: 'TenantLimitReached' });
  });

  test('looks again at 20 names in a turn that other namespaces have, and at all in the end', async () => {
    const { admin, createMap, reconcile, faults } = await startWorld();
    const names = manyNames(25);
    for (const name of Object.values(names)) await admin.create(Namespace, { metadata: { name } });
    await createMap(names);
    const looked = () =>
      faults.calls.filter(({ verb, resource }) => `${verb} ${resource}` === 'get namespaces');
    await reconcile();
    await reconcile();
    faults.calls.length = 0;
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 10_000 });
    expect(looked()).toHaveLength(20);
    await reconcile();
    expect(new Set(looked().map(({ name }) => name)).size).toBe(25);
  });

  test('deletes 20 namespaces in a turn when it goes, and is held until all are gone', async () => {
    const { admin, createMap, reconcile, map, deletions } = await startWorld();
    await createMap(manyNames(25));
    for (let turn = 0; turn < 2; turn++) await reconcile();
    await admin.delete(NamespaceMap, key);
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: 0 });
    expect(deletions()).toHaveLength(20);
    await reconcile();
    expect(new Set(deletions()).size).toBe(25);
    expect((await map())?.metadata.finalizers).toEqual([finalizers.namespaceMap]);
  });

  test('never deletes a namespace that is wanted and has not had its turn', async () => {
    const { admin, createMap, reconcile, deletions } = await startWorld();
    const names = manyNames(25);
    await createMap(names);
    for (const name of Object.values(names)) {
      await admin.create(Namespace, { metadata: { name, labels: marks, annotations: ours } });
    }
    await reconcile();
    expect(deletions()).toEqual([]);
  });
});
