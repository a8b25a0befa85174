import { annotations, finalizers, forgeCustomResourceDefinition, ShadowPod } from '@liqo/api';
import { CustomResourceDefinition, isConflict, mergePatch, Pod, type Stored } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { always, faultOn, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deleteShadowPod } from './delete-shadow-pod.ts';

const key = { namespace: 'shop', name: 'web' };
const { signal } = new AbortController();
const pod = { containers: [{ name: 'main', image: 'i' }] };

async function startWorld() {
  const cluster = await startTestCluster({ namespaces: [key.namespace] });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  const { admin, faults, clock } = cluster;
  await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(ShadowPod));
  await clock.settle();
  const create = () => admin.create(ShadowPod, { metadata: key, spec: { pod } });
  const shadowPod = await create();
  return {
    admin,
    faults,
    create,
    remove: (local?: Stored<Pod>) =>
      deleteShadowPod(cluster.clientOf('kubelet'), shadowPod, local, signal),
    /** As somebody deletes it here who does not give it its own time. */
    createHastyPod: async () => {
      const spec = { nodeName: 'mynode', terminationGracePeriodSeconds: 60, ...pod };
      await admin.create(Pod, { metadata: key, spec });
      await admin.delete(Pod, key, { gracePeriodSeconds: 5 });
      return (await admin.get(Pod, key)) as Stored<Pod>;
    },
    /** As the controller of our provider does while the pod runs. */
    hold: () =>
      admin.patch(ShadowPod, key, mergePatch({ metadata: { finalizers: [finalizers.shadowPod] } })),
    stored: () => admin.get(ShadowPod, key),
  };
}

describe('deleteShadowPod()', () => {
  test('asks the provider to end the pod, and is content when it is gone already', async () => {
    const { remove, stored } = await startWorld();
    await remove();
    expect(await stored()).toBeUndefined();
    await remove();
  });

  test('says for how long the pod may take, if that is not its own time', async () => {
    const { remove, createHastyPod, hold, stored } = await startWorld();
    const local = await createHastyPod();
    await hold();
    await remove(local);
    expect((await stored())?.metadata.annotations).toMatchObject({
      [annotations.deletionGracePeriodSeconds]: '5',
    });
    expect((await stored())?.metadata.deletionTimestamp).toBeDefined();
  });

  test('deletes in the background, whether the pod here is being deleted or not', async () => {
    const { faults, remove, createHastyPod, stored } = await startWorld();
    await remove(await createHastyPod());
    expect(await stored()).toBeUndefined();
    const bodies = faults.calls.filter(({ verb }) => verb === 'delete').map(({ body }) => body);
    expect(bodies).toEqual([expect.stringContaining('"propagationPolicy":"Background"')]);
  });

  test.each([400, 403, 422])('deletes although the grace period is denied: %d', async (code) => {
    const { faults, remove, createHastyPod, stored } = await startWorld();
    const local = await createHastyPod();
    faults.plan = faultOn(({ verb }) => verb === 'patch', refusal(code));
    await remove(local);
    expect(await stored()).toBeUndefined();
  });

  test('leaves alone another ShadowPod that has the name by now', async () => {
    const { admin, create, remove, createHastyPod, stored } = await startWorld();
    const local = await createHastyPod();
    await admin.delete(ShadowPod, key);
    const { metadata } = await create();
    expect(await rejection(remove())).toSatisfy(isConflict);
    expect(await rejection(remove(local))).toSatisfy(isConflict);
    expect((await stored())?.metadata).toEqual(metadata);
  });

  test.each([403, 409, 500])('says so when it is refused: %d', async (code) => {
    const { faults, remove } = await startWorld();
    faults.plan = always(refusal(code));
    expect(await rejection(remove())).toMatchObject({ code });
  });
});
