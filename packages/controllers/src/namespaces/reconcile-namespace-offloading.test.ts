import {
  ForeignCluster,
  finalizers,
  labels,
  NamespaceMap,
  NamespaceOffloading,
  VirtualNode,
  virtualNodeToleration,
} from '@liqo/api';
import { mergePatch, Namespace, Node, Pod } from '@liqo/kube';
import { forgeTenantNamespace } from '@liqo/model';
import type { RecordedEvent } from '@liqo/runtime';
import { rejection } from '@liqo/testkit';
import { faultOn, isWrite, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ofPeers, tenantNamespaces } from '../selections.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { NamespaceOffloadingReconciler } from './reconcile-namespace-offloading.ts';

const key = { namespace: 'shop', name: 'offloading' };
const tenant = 'liqo-tenant-milan';
const mapKey = { namespace: tenant, name: 'milan' };
const kinds = [NamespaceOffloading, NamespaceMap, VirtualNode, ForeignCluster];

async function startWorld() {
  const world = await startQuietWorld([key.namespace], kinds);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, run, cacheOf, faults } = world;
  await admin.create(Namespace, forgeTenantNamespace('milan'));
  const metadata = { name: 'mynode', namespace: tenant };
  await admin.create(VirtualNode, { metadata, spec: { clusterID: 'milan' } });
  const recorded: RecordedEvent[] = [];
  const events = {
    record: (event: RecordedEvent) => void recorded.push(event),
    [Symbol.asyncDispose]: async () => undefined,
  };
  return {
    ...world,
    recorded,
    passTime: (ms: number) => clock.advance(ms),
    reconcile: async () =>
      new NamespaceOffloadingReconciler({
        client,
        clusterID: 'rome',
        liqoNamespace: 'liqo',
        clock,
        events,
        offloadings: await cacheOf(NamespaceOffloading),
        maps: await cacheOf(NamespaceMap),
        virtualNodes: await cacheOf(VirtualNode),
        nodes: await cacheOf(Node),
        namespaces: await cacheOf(Namespace),
        peerNamespaces: await cacheOf(Namespace, { selection: ofPeers }),
        tenantNamespaces: await cacheOf(Namespace, { selection: tenantNamespaces }),
        peers: await cacheOf(ForeignCluster),
      }).reconcile(key, run),
    offload: () =>
      admin.create(NamespaceOffloading, {
        metadata: { ...key, finalizers: [finalizers.namespaceOffloading] },
        spec: {
          namespaceMappingStrategy: 'DefaultName',
          podOffloadingStrategy: 'LocalAndRemote',
        },
      }),
    createMap: (
      desiredMapping: Record<string, string> = {},
      held: string[] = [],
      namespace = tenant,
    ) =>
      admin.create(NamespaceMap, {
        metadata: {
          ...mapKey,
          namespace,
          labels: { [labels.replication]: 'true', [labels.replicationDestination]: 'milan' },
          finalizers: held,
        },
        spec: { desiredMapping },
      }),
    label: () => {
      const patch = mergePatch({ metadata: { labels: { [labels.schedulingEnabled]: 'true' } } });
      return admin.patch(Namespace, { name: key.namespace }, patch);
    },
    offloading: () => admin.get(NamespaceOffloading, key),
    wishes: async () => (await admin.get(NamespaceMap, mapKey))?.spec.desiredMapping ?? {},
    refuse: (resource: string, code: number) => {
      const isMeant = (call: { verb: string; resource: string }) =>
        call.verb === 'patch' && call.resource === resource;
      faults.plan = faultOn(isMeant, refusal(code));
    },
  };
}

describe('a NamespaceOffloading that is reconciled', () => {
  const containers = [{ name: 'main', image: 'i' }];
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u' };

  test('lets pods run at providers that were created before the webhook was asked, and no later ones', async () => {
    const { admin, offload, createMap, reconcile, passTime } = await startWorld();
    const createPod = (name: string) =>
      admin.create(Pod, { metadata: { namespace: 'shop', name }, spec: { containers } });
    const tolerations = async (name: string) =>
      (await admin.get(Pod, { namespace: 'shop', name }))?.spec?.tolerations ?? [];
    await createPod('before');
    await passTime(1_000);
    await offload();
    await createPod('meanwhile');
    await createMap();
    await reconcile();
    expect(await tolerations('meanwhile')).toContainEqual(virtualNodeToleration);
    expect(await tolerations('before')).not.toContainEqual(virtualNodeToleration);
    await createPod('at-once');
    await reconcile();
    expect(await tolerations('at-once')).toContainEqual(virtualNodeToleration);
    await passTime(10_000);
    await createPod('later');
    await reconcile();
    expect(await tolerations('later')).not.toContainEqual(virtualNodeToleration);
  });

  test('has pods created anew that need an affinity, and reports those that nothing would create', async () => {
    const { admin, createMap, reconcile, recorded } = await startWorld();
    await admin.create(NamespaceOffloading, {
      metadata: { ...key, finalizers: [finalizers.namespaceOffloading] },
      spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
    });
    const ownerReferences = [{ ...owner, controller: true }];
    const owned = { namespace: 'shop', name: 'owned', ownerReferences };
    await admin.create(Pod, { metadata: owned, spec: { containers } });
    await admin.create(Pod, { metadata: { namespace: 'shop', name: 'own' }, spec: { containers } });
    await createMap();
    await reconcile();
    const { items } = await admin.list(Pod, { namespace: 'shop' });
    const left = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(left.map(({ metadata }) => metadata.name)).toEqual(['own']);
    expect(recorded).toMatchObject([
      { reason: 'CreatedTooEarly', regarding: { metadata: { name: 'own' } } },
    ]);
  });

  test('tells what it wrote, so that nobody acts before the cache shows it', async () => {
    const { offload, createMap, reconcile, written, wishes } = await startWorld();
    await offload();
    await createMap();
    await reconcile();
    expect(written.map(({ kind }) => kind)).toEqual(['Namespace', 'NamespaceOffloading']);
    expect(await wishes()).toEqual({ shop: 'shop-rome' });
  });

  test('heeds no map and no VirtualNode outside the tenant namespace of their provider', async () => {
    const { admin, offload, createMap, reconcile, wishes, offloading } = await startWorld();
    await offload();
    // It comes first in every list.
    const elsewhere = { name: 'a', namespace: 'default' };
    await createMap({}, [], elsewhere.namespace);
    await createMap();
    await admin.create(VirtualNode, { metadata: elsewhere, spec: { clusterID: 'turin' } });
    await reconcile();
    expect(await wishes()).toEqual({ shop: 'shop-rome' });
    const smuggled = await admin.get(NamespaceMap, { ...mapKey, namespace: elsewhere.namespace });
    expect(smuggled?.spec.desiredMapping).toEqual({});
    const conditions = (await offloading())?.status?.remoteNamespacesConditions;
    expect(Object.keys(conditions ?? {})).toEqual(['milan']);
  });

  test('of a tenant namespace is refused: nothing is labelled or asked of a provider', async () => {
    const { admin, offload, createMap, reconcile, wishes, offloading } = await startWorld();
    await offload();
    await createMap();
    const marks = { [labels.tenantNamespace]: 'true', [labels.remoteClusterID]: 'turin' };
    const patch = mergePatch({ metadata: { labels: marks } });
    await admin.patch(Namespace, { name: key.namespace }, patch);
    await reconcile();
    expect(await wishes()).toEqual({});
    const namespace = await admin.get(Namespace, { name: key.namespace });
    expect(namespace?.metadata.labels).not.toHaveProperty(labels.schedulingEnabled);
    const status = (await offloading())?.status;
    expect(status?.offloadingPhase).toBe('AllFailed');
    expect(status?.remoteNamespacesConditions?.milan).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'False', reason: 'ReservedNamespace' }),
    );
  });

  test.each([
    ['the namespace', 'namespaces', 403],
    ['a map', 'namespacemaps.offloading.liqo.io', 500],
  ])('is tried again when %s cannot be changed', async (_, resource, code) => {
    const { offload, createMap, reconcile, refuse } = await startWorld();
    await offload();
    await createMap();
    refuse(resource, code);
    expect(await rejection(reconcile())).toMatchObject({ code });
  });

  test('asks nothing of a map that goes', async () => {
    const { admin, offload, createMap, reconcile, wishes } = await startWorld();
    await offload();
    await createMap({}, ['test/held']);
    await admin.delete(NamespaceMap, mapKey);
    await reconcile();
    expect(await wishes()).toEqual({});
  });

  test('that goes is held while a provider cannot be told', async () => {
    const { admin, offload, createMap, reconcile, refuse, offloading } = await startWorld();
    await offload();
    await createMap({ shop: 'shop-rome' });
    await admin.delete(NamespaceOffloading, key);
    refuse('namespacemaps.offloading.liqo.io', 500);
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
    expect((await offloading())?.metadata.finalizers).toEqual([finalizers.namespaceOffloading]);
  });

  test('that goes is let go with one write, whatever there would be to say', async () => {
    const { admin, offload, createMap, reconcile, offloading, faults } = await startWorld();
    await offload();
    await createMap();
    await reconcile();
    await admin.patch(NamespaceMap, mapKey, mergePatch({ spec: { desiredMapping: null } }));
    await admin.delete(NamespaceOffloading, key);
    faults.calls.length = 0;
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await offloading()).toBeUndefined();
    const writes = faults.calls.filter((call) => isWrite(call) && call.name === key.name);
    expect(writes.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'patch namespaceoffloadings.offloading.liqo.io',
    ]);
  });

  test('that goes does not mind that its namespace is gone', async () => {
    const { admin, offload, label, reconcile, refuse, offloading } = await startWorld();
    await offload();
    await label();
    await admin.delete(NamespaceOffloading, key);
    refuse('namespaces', 404);
    expect(await reconcile()).toEqual({ type: 'done' });
    expect(await offloading()).toBeUndefined();
  });
});
