import { labels, NamespaceMap } from '@liqo/api';
import { mergePatch, Pod, type Stored } from '@liqo/kube';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noAddresses } from '../addresses/address-source.ts';
import { startQuietKubeletWorld } from '../testing/quiet-kubelet-world.ts';
import { LocalPodStatus } from './local-pod-status.ts';
import { settleUnmappedPod } from './settle-unmapped-pod.ts';

const key = { namespace: 'shop', name: 'web' };
const mapKey = { namespace: 'shop', name: 'milan' };

async function startWorld(phase: 'Pending' | 'Running' = 'Running') {
  const world = await startQuietKubeletWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, context, cacheOf, run } = world;
  const spec = { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }] };
  await admin.create(Pod, { metadata: key, spec });
  const said = mergePatch({ status: { phase } });
  await admin.patch(Pod, key, said, { subresource: 'status' });
  const pod = () => admin.get(Pod, key) as Promise<Stored<Pod>>;
  return {
    pod,
    settle: async () => {
      const pods = await cacheOf(Pod);
      const status = new LocalPodStatus({
        context,
        pods,
        nodeAddress: '127.0.0.1',
        addresses: noAddresses,
      });
      return settleUnmappedPod({ context, status }, await pod(), run);
    },
    say: (status: object) =>
      admin.patch(Pod, key, mergePatch({ status: { ...status } }), { subresource: 'status' }),
    deletePod: () => admin.delete(Pod, key),
    createMap: async (desiredMapping: Record<string, string>, currentMapping: object) => {
      const metadata = { ...mapKey, labels: { [labels.replicationDestination]: 'milan' } };
      await admin.create(NamespaceMap, { metadata, spec: { desiredMapping } });
      const patch = mergePatch({ status: { currentMapping: { ...currentMapping } } });
      await admin.patch(NamespaceMap, mapKey, patch, { subresource: 'status' });
    },
  };
}

type World = Awaited<ReturnType<typeof startWorld>>;

const going = { shop: { remoteNamespace: 'shop-rome', phase: 'Terminating' } };

const refused = (reason: string) => ({
  shop: { remoteNamespace: 'shop-rome', phase: 'CreationLoopBackOff', reason },
});

const uncertain: readonly [string, (world: World) => Promise<void>][] = [
  ['there is no map', async () => undefined],
  ['the map still asks for it', ({ createMap }) => createMap({ shop: 'shop-rome' }, {})],
  ['the provider is still removing it', ({ createMap }) => createMap({}, going)],
  [
    'somebody else has its name now',
    ({ createMap }) => createMap({ shop: 'shop-rome' }, refused('NamespaceTaken')),
  ],
];

describe('a pod that ran in a namespace of the provider', () => {
  test.each(uncertain)('is neither aborted nor released while %s', async (_, happens) => {
    const world = await startWorld();
    await happens(world);
    expect(await world.settle()).toMatchObject({ type: 'requeueAfter' });
    expect((await world.pod()).status?.phase).toBe('Running');
    await world.deletePod();
    expect(await world.settle()).toMatchObject({ type: 'requeueAfter' });
    expect(await world.pod()).toBeDefined();
  });

  test('is not aborted while there is no map, though it is only initializing', async () => {
    const { settle, pod, say } = await startWorld('Pending');
    const state = { running: { startedAt: '2026-01-01T00:00:00Z' } };
    const init = { name: 'init', image: 'i', imageID: '', ready: false, restartCount: 0, state };
    const main = { ...init, name: 'main', state: { waiting: { reason: 'PodInitializing' } } };
    const startTime = '2026-01-01T00:00:00Z';
    await say({ startTime, initContainerStatuses: [init], containerStatuses: [main] });
    expect(await settle()).toMatchObject({ type: 'requeueAfter' });
    expect((await pod()).status).toMatchObject({ phase: 'Pending' });
    expect((await pod()).status?.initContainerStatuses).toHaveLength(1);
  });

  test('is aborted when the provider has no such namespace any more', async () => {
    const { createMap, settle, pod } = await startWorld();
    await createMap({}, {});
    expect(await settle()).toEqual({ type: 'done' });
    expect((await pod()).status).toMatchObject({ phase: 'Failed', reason: 'OffloadingAborted' });
  });

  test('is released when the provider has no such namespace any more', async () => {
    const { createMap, deletePod, settle, pod } = await startWorld();
    await createMap({}, {});
    await deletePod();
    expect(await settle()).toEqual({ type: 'done' });
    expect(await pod()).toBeUndefined();
  });
});

describe('a pod that has never begun', () => {
  test.each(['NamespaceTaken', 'ReservedName', 'NameGranted'])(
    'is released where the provider says %s of its namespace, and not before it is deleted',
    async (reason) => {
      const { createMap, deletePod, settle, pod } = await startWorld('Pending');
      await createMap({ shop: 'shop-rome' }, refused(reason));
      expect(await settle()).toMatchObject({ type: 'requeueAfter' });
      expect(await pod()).toBeDefined();
      await deletePod();
      expect(await settle()).toEqual({ type: 'done' });
      expect(await pod()).toBeUndefined();
    },
  );

  test('waits where the namespace may be ours, and something else fails there', async () => {
    const { createMap, deletePod, settle, pod } = await startWorld('Pending');
    await createMap({ shop: 'shop-rome' }, refused('CreationFailed'));
    await deletePod();
    expect(await settle()).toMatchObject({ type: 'requeueAfter' });
    expect(await pod()).toBeDefined();
  });
});
