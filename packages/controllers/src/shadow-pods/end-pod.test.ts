import { annotations, finalizers, ShadowPod } from '@liqo/api';
import {
  apiVersionOf,
  isConflict,
  type Kind,
  type KubeObject,
  mergePatch,
  Pod,
  type Stored,
} from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { faultOn, noFaults, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { deletePod, endOrphan, endPod } from './end-pod.ts';
import { Lately } from './lately.ts';

const key = { namespace: 'shop-rome', name: 'web' };
const { signal } = new AbortController();
const spec = { containers: [{ name: 'web', image: 'nginx' }] };

async function startWorld() {
  const world = await startQuietWorld([key.namespace], [ShadowPod]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, clock, faults } = world;
  const is = async (kind: Kind<KubeObject>) => (await admin.get(kind, key)) !== undefined;
  return {
    ...world,
    ending: new Lately(clock, 60_000),
    createShadowPod: () => admin.create(ShadowPod, { metadata: key, spec: { pod: spec } }),
    /** Being deleted, and held until its pod is gone. */
    createGoingShadowPod: async (notes: Record<string, string> = {}) => {
      const metadata = { ...key, finalizers: [finalizers.shadowPod], annotations: notes };
      await admin.create(ShadowPod, { metadata, spec: { pod: spec } });
      await admin.delete(ShadowPod, key);
      return (await admin.get(ShadowPod, key)) as Stored<ShadowPod>;
    },
    createPod: (owner?: Stored<ShadowPod>) => {
      const made = { apiVersion: apiVersionOf(ShadowPod), kind: ShadowPod.kind, controller: true };
      const { name = '', uid = '' } = owner?.metadata ?? {};
      const ownerReferences = owner ? [{ ...made, name, uid }] : [];
      return admin.create(Pod, { metadata: { ...key, ownerReferences }, spec });
    },
    isPodThere: () => is(Pod as Kind<KubeObject>),
    isShadowPodThere: () => is(ShadowPod as Kind<KubeObject>),
    refuseDeletions: () => {
      faults.plan = faultOn(({ verb }) => verb === 'delete', refusal(500));
    },
  };
}

describe('endPod()', () => {
  test('ends the pod first, and then lets the ShadowPod go', async () => {
    const world = await startWorld();
    const shadowPod = await world.createGoingShadowPod();
    const pod = await world.createPod(shadowPod);
    await endPod(world, shadowPod, pod, signal);
    expect(await world.isPodThere()).toBe(false);
    expect(await world.isShadowPodThere()).toBe(true);
    await endPod(world, shadowPod, undefined, signal);
    expect(await world.isShadowPodThere()).toBe(false);
  });

  test('says so when the pod cannot be deleted: somebody has to try again', async () => {
    const world = await startWorld();
    const shadowPod = await world.createGoingShadowPod();
    const pod = await world.createPod(shadowPod);
    world.refuseDeletions();
    const error = await rejection(endPod(world, shadowPod, pod, signal));
    expect(error).toMatchObject({ code: 500 });
    world.faults.plan = noFaults;
    await endPod(world, shadowPod, pod, signal);
    expect(await world.isPodThere()).toBe(false);
  });

  test('holds a ShadowPod whose pod our cache does not show', async () => {
    const world = await startWorld();
    const shadowPod = await world.createGoingShadowPod();
    await world.createPod(shadowPod);
    await endPod(world, shadowPod, undefined, signal);
    expect(await world.isShadowPodThere()).toBe(true);
  });

  test('asks nobody whether a pod is gone that it has seen ending', async () => {
    const world = await startWorld();
    const shadowPod = await world.createGoingShadowPod();
    const pod = await world.createPod(shadowPod);
    await endPod(world, shadowPod, pod, signal);
    world.faults.plan = faultOn(({ verb }) => verb === 'get', refusal(500));
    await endPod(world, shadowPod, undefined, signal);
    expect(await world.isShadowPodThere()).toBe(false);
  });

  test('holds a ShadowPod whose pod could not be deleted, and then is not shown', async () => {
    const world = await startWorld();
    const shadowPod = await world.createGoingShadowPod();
    const pod = await world.createPod(shadowPod);
    world.refuseDeletions();
    await rejection(endPod(world, shadowPod, pod, signal));
    world.faults.plan = noFaults;
    await endPod(world, shadowPod, undefined, signal);
    expect(await world.isShadowPodThere()).toBe(true);
  });

  test('removes its own finalizer only', async () => {
    const world = await startWorld();
    const created = await world.createShadowPod();
    const others = ['example.org/hold'];
    const both = [...others, finalizers.shadowPod];
    await world.admin.patch(ShadowPod, key, mergePatch({ metadata: { finalizers: both } }));
    await world.admin.delete(ShadowPod, key);
    const shadowPod = (await world.admin.get(ShadowPod, key)) as Stored<ShadowPod>;
    await endPod(world, shadowPod, undefined, signal);
    const held = await world.admin.get(ShadowPod, key);
    expect(held?.metadata).toMatchObject({ uid: created.metadata.uid, finalizers: others });
  });

  test('gives the pod the grace period that the ShadowPod asks for, and less when it asks for less', async () => {
    const world = await startWorld();
    const asking = { [annotations.deletionGracePeriodSeconds]: '20' };
    const shadowPod = await world.createGoingShadowPod(asking);
    await world.createPod(shadowPod);
    await world.admin.bind(key, 'machine');
    const pod = async () => (await world.admin.get(Pod, key)) as Stored<Pod>;
    await endPod(world, shadowPod, await pod(), signal);
    expect((await pod()).metadata.deletionGracePeriodSeconds).toBe(20);
    const hurried = { [annotations.deletionGracePeriodSeconds]: '3' };
    const patch = mergePatch({ metadata: { annotations: hurried } });
    await endPod(world, await world.admin.patch(ShadowPod, key, patch), await pod(), signal);
    expect((await pod()).metadata.deletionGracePeriodSeconds).toBe(3);
    expect(await world.isShadowPodThere()).toBe(true);
  });

  test('does not let go another ShadowPod that has the name by now', async () => {
    const world = await startWorld();
    const shadowPod = await world.createGoingShadowPod();
    await world.admin.patch(ShadowPod, key, mergePatch({ metadata: { finalizers: null } }));
    const metadata = { ...key, finalizers: [finalizers.shadowPod] };
    await world.admin.create(ShadowPod, { metadata, spec: { pod: spec } });
    await endPod(world, shadowPod, undefined, signal);
    const successor = await world.admin.get(ShadowPod, key);
    expect(successor?.metadata.finalizers).toEqual([finalizers.shadowPod]);
  });

  test('asks nothing about a ShadowPod that is not held for its pod', async () => {
    const world = await startWorld();
    const shadowPod = await world.createShadowPod();
    world.faults.plan = faultOn(() => true, refusal(500));
    await endPod(world, shadowPod, undefined, signal);
    expect(world.faults.calls).toEqual([]);
  });

  test('does not end a pod that was made for another ShadowPod of that name', async () => {
    const world = await startWorld();
    const old = await world.createShadowPod();
    const pod = await world.createPod(old);
    await world.admin.delete(ShadowPod, key);
    const shadowPod = await world.createGoingShadowPod();
    await endPod(world, shadowPod, pod, signal);
    expect(await world.isPodThere()).toBe(true);
    expect(await world.isShadowPodThere()).toBe(false);
  });
});

describe('endOrphan()', () => {
  test('believes the server alone that the ShadowPod of a pod is gone', async () => {
    const world = await startWorld();
    const shadowPod = await world.createShadowPod();
    const pod = await world.createPod(shadowPod);
    await endOrphan(world.client, pod, signal);
    expect(await world.isPodThere()).toBe(true);
    await world.admin.delete(ShadowPod, key);
    await endOrphan(world.client, pod, signal);
    expect(await world.isPodThere()).toBe(false);
  });
});

describe('deletePod()', () => {
  test('is content when the pod is gone already', async () => {
    const world = await startWorld();
    const pod = await world.createPod();
    await world.admin.delete(Pod, key);
    await deletePod(world.client, pod, undefined, signal);
    expect(await world.isPodThere()).toBe(false);
  });

  test('does not delete another pod that has the name by now', async () => {
    const world = await startWorld();
    const pod = await world.createPod();
    await world.admin.delete(Pod, key);
    await world.createPod();
    const error = await rejection(deletePod(world.client, pod, undefined, signal));
    expect(isConflict(error)).toBe(true);
    expect(await world.isPodThere()).toBe(true);
  });
});
