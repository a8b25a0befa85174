import { labels } from '@liqo/api';
import { isInvalid, Node, Pod } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { PodStatusReconciler } from './reconcile-pod-status.ts';

const key = { namespace: 'shop', name: 'web' };
const isPatch = ({ verb }: { verb: string }) => verb === 'patch';

/** With a node that is not ready, and a pod on it that does not say so. */
async function startWorld() {
  const world = await startQuietWorld([key.namespace]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, run, cacheOf } = world;
  await admin.create(Node, { metadata: { name: 'mynode' } });
  const createPod = () =>
    admin.create(Pod, {
      metadata: { ...key, labels: { [labels.shadowPod]: 'true' } },
      spec: { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }] },
    });
  await createPod();
  return {
    ...world,
    createPod,
    reconcile: async () =>
      new PodStatusReconciler({
        client,
        nodes: await cacheOf(Node),
        marked: await cacheOf<Pod, 'node'>(Pod, { indexes: { node: () => [] } }),
      }).reconcile({ name: 'mynode' }, run),
    pod: () => admin.get(Pod, key),
  };
}

describe('a virtual node that is not ready', () => {
  test('has its pods marked, and tells what was written', async () => {
    const { reconcile, pod, written } = await startWorld();
    await reconcile();
    const marked = await pod();
    expect(marked?.metadata.labels).toMatchObject({ [labels.remoteUnavailable]: 'true' });
    expect(written).toEqual([marked]);
  });

  test('does not have a later pod of that name marked', async () => {
    const { admin, createPod, reconcile, faults, pod } = await startWorld();
    const before = async () => {
      await admin.delete(Pod, key, { gracePeriodSeconds: 0 });
      await createPod();
    };
    faults.plan = faultOn(isPatch, { before });
    expect(await rejection(reconcile())).toSatisfy(isInvalid);
    expect((await pod())?.metadata.labels).not.toHaveProperty(labels.remoteUnavailable);
  });

  test('does not mind that a pod is gone', async () => {
    const { admin, reconcile, faults } = await startWorld();
    const before = () => admin.delete(Pod, key, { gracePeriodSeconds: 0 });
    faults.plan = faultOn(isPatch, { before });
    expect(await reconcile()).toMatchObject({ type: 'requeueAfter' });
  });

  test('is looked at again when a pod cannot be marked', async () => {
    const { reconcile, faults } = await startWorld();
    faults.plan = faultOn(isPatch, refusal(500));
    expect(await rejection(reconcile())).toMatchObject({ code: 500 });
  });
});
