import { labels, NamespaceMap } from '@liqo/api';
import { mergePatch, Pod, type Stored } from '@liqo/kube';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietKubeletWorld } from '../testing/quiet-kubelet-world.ts';
import { LocalPodStatus } from './local-pod-status.ts';
import { settleUnmappedPod } from './settle-unmapped-pod.ts';

const key = { namespace: 'shop', name: 'web' };
const mapKey = { namespace: 'shop', name: 'milan' };

async function startWorld() {
  const world = await startQuietKubeletWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, context, cacheOf, run } = world;
  const spec = { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }] };
  await admin.create(Pod, { metadata: key, spec });
  const running = mergePatch({ status: { phase: 'Running' } });
  await admin.patch(Pod, key, running, { subresource: 'status' });
  const pod = () => admin.get(Pod, key) as Promise<Stored<Pod>>;
  return {
    pod,
    settle: async () => {
      const pods = await cacheOf(Pod);
      const status = new LocalPodStatus({ context, pods, nodeAddress: '127.0.0.1' });
      return settleUnmappedPod({ context, status }, await pod(), run);
    },
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

const uncertain: readonly [string, (world: World) => Promise<void>][] = [
  ['there is no map', async () => undefined],
  ['the map still asks for it', ({ createMap }) => createMap({ shop: 'shop-rome' }, {})],
  ['the provider is still removing it', ({ createMap }) => createMap({}, going)],
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
