import { allKinds, ForeignCluster, Identity, VirtualNode } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import { forgeForeignCluster, type PeerEndpoint } from '@liqo/model';
import type { CachedReader } from '@liqo/runtime';
import { isWrite } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { type FactName, peerEvidence } from './peer-evidence.ts';
import { ForeignClusterReconciler } from './reconcile-foreign-cluster.ts';

const namespace = 'liqo-tenant-milan';
const controlPlane = {
  metadata: { namespace, name: 'a' },
  spec: { clusterID: 'milan', type: 'ControlPlane' as const },
};
const day = 24 * 60 * 60_000;

async function startWorld() {
  const world = await startQuietWorld([namespace], allKinds);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, cacheOf, client, clock, faults, run } = world;
  await clock.advance(10_000);
  return {
    admin,
    clock,
    writes: () => faults.calls.filter(isWrite).map(({ verb, resource }) => `${verb} ${resource}`),
    /** A reconciler whose caches show what exists now. */
    async look(endpoint?: PeerEndpoint) {
      const caches = new Map<FactName, CachedReader<KubeObject>>();
      for (const [fact, { kind, selection = {} }] of peerEvidence) {
        caches.set(fact, await cacheOf(kind, { selection }));
      }
      const foreignClusters = await cacheOf(ForeignCluster);
      const link = endpoint && {
        clusterID: 'milan',
        client,
        endpoint,
        localNamespace: 'liqo-tenant-milan',
        remoteNamespace: 'liqo-tenant-rome',
        isWatching: () => true,
      };
      const reconciler = new ForeignClusterReconciler({
        client,
        clock,
        foreignClusters,
        caches,
        secrets: { isComplete: () => true },
        links: { of: () => link },
        probes: { stateOf: () => 'unknown', forget: () => undefined },
      });
      return () => reconciler.reconcile({ name: 'milan' }, run);
    },
  };
}

async function createFilledIn({ admin }: Awaited<ReturnType<typeof startWorld>>) {
  await admin.create(ForeignCluster, forgeForeignCluster('milan'));
  const status = { role: 'Provider', observedGeneration: 1 } as const;
  const found = await admin.get(ForeignCluster, { name: 'milan' });
  if (found) await admin.updateStatus(ForeignCluster, { ...found, status });
}

test('a ForeignCluster is deleted when nothing is about the peer', async () => {
  const world = await startWorld();
  await createFilledIn(world);
  const reconcile = await world.look();
  await reconcile();
  expect(await world.admin.get(ForeignCluster, { name: 'milan' })).toBeUndefined();
});

test.each(['Identity', 'VirtualNode'])(
  'a ForeignCluster stays while the API server has %s that no cache shows yet',
  async (kind) => {
    const world = await startWorld();
    await createFilledIn(world);
    const reconcile = await world.look();
    if (kind === 'Identity') await world.admin.create(Identity, controlPlane);
    else {
      const { metadata } = controlPlane;
      await world.admin.create(VirtualNode, { metadata, spec: { clusterID: 'milan' } });
    }
    await reconcile();
    expect(await world.admin.get(ForeignCluster, { name: 'milan' })).toBeDefined();
  },
);

test('a ForeignCluster stays that was changed after the cache had seen it', async () => {
  const world = await startWorld();
  await createFilledIn(world);
  const reconcile = await world.look();
  const found = await world.admin.get(ForeignCluster, { name: 'milan' });
  const metadata = { ...found?.metadata, name: 'milan', annotations: { note: 'x' } };
  if (found) await world.admin.update(ForeignCluster, { ...found, metadata });
  await expect(reconcile()).rejects.toMatchObject({ code: 409 });
  expect(await world.admin.get(ForeignCluster, { name: 'milan' })).toBeDefined();
});

test('a ForeignCluster is created and filled in with two writes', async () => {
  const world = await startWorld();
  await world.admin.create(Identity, controlPlane);
  const reconcile = await world.look();
  await reconcile();
  expect(world.writes()).toEqual([
    'create foreignclusters.core.liqo.io',
    'patch foreignclusters.core.liqo.io/status',
  ]);
});

test.each([
  [7_000, 7_000],
  [400 * day, day],
])('a certificate that expires in %d ms is looked at again in %d ms', async (leftMs, waitMs) => {
  const world = await startWorld();
  await world.admin.create(Identity, controlPlane);
  const reconcile = await world.look({ expiresMs: world.clock.now() + leftMs });
  expect(await reconcile()).toMatchObject({ type: 'requeueAfter', delayMs: waitMs });
});
