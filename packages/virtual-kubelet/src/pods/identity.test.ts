import { annotations, ShadowPod } from '@liqo/api';
import { Pod } from '@liqo/kube';
import { faultOn, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const force = { gracePeriodSeconds: 0 };

async function forceDelete(name: string): Promise<void> {
  await world.home.admin.delete(Pod, { namespace: 'shop', name }, force);
}

describe('a successor of the same name', () => {
  test('starts over there only when its predecessor is gone, removed by its UID', async () => {
    const old = await world.runPod('db');
    await world.stop(world.kubelet);
    await forceDelete('db');
    world.provider.holdsPods = true;
    const successor = await world.createPod('db');
    await world.startWorkingKubelet();
    await world.until(async () => expect(await world.shadowPod('db')).toBeUndefined());
    await world.pass(30_000);
    expect(await world.shadowPod('db')).toBeUndefined();
    const held = await world.remotePod('db');
    expect(held?.metadata.annotations?.[annotations.podUid]).toBe(old.metadata.uid);
    world.provider.holdsPods = false;
    await world.until(async () => {
      const running = await world.remotePod('db');
      expect(running?.metadata.annotations?.[annotations.podUid]).toBe(successor.metadata.uid);
    });
  });

  test('on another node ends what its predecessor left over there', async () => {
    await world.runPod('db');
    await world.stop(world.kubelet);
    await forceDelete('db');
    await world.createPod('db', { nodeName: 'another' });
    await world.startWorkingKubelet();
    await world.until(async () => expect(await world.remotePod('db')).toBeUndefined());
    expect(await world.shadowPod('db')).toBeUndefined();
    expect((await world.pod('db'))?.spec?.nodeName).toBe('another');
  });
});

describe('an orphan over there', () => {
  test('is removed by a kubelet that was not there when its pod went', async () => {
    await world.runPod('web');
    await world.stop(world.kubelet);
    await forceDelete('web');
    await world.startWorkingKubelet();
    await world.until(async () => expect(await world.shadowPod('web')).toBeUndefined());
  });

  test('is removed even if the pods over there are seen long after their shadow pods', async () => {
    await world.runPod('web');
    await world.stop(world.kubelet);
    await forceDelete('web');
    world.provider.rests = true;
    await world.away.admin.delete(Pod, { namespace: 'shop-rome', name: 'web' }, force);
    let show = () => {};
    const holdHeaders = new Promise<void>((resolve) => {
      show = resolve;
    });
    world.away.faults.plan = faultOn(({ resource }) => resource === 'pods', { holdHeaders });
    await world.startWorkingKubelet();
    await world.pass(5_000);
    expect(await world.shadowPod('web')).toBeDefined();
    show();
    await world.until(async () => expect(await world.shadowPod('web')).toBeUndefined());
  });

  test('stays for as long as the API server here does not say that its pod is gone', async () => {
    await world.runPod('web');
    await world.stop(world.kubelet);
    await forceDelete('web');
    world.home.faults.plan = faultOn(
      ({ resource, verb }) => resource === 'pods' && verb === 'get',
      refusal(503),
    );
    await world.startWorkingKubelet();
    await world.pass(60_000);
    expect(await world.shadowPod('web')).toBeDefined();
    world.home.faults.plan = noFaults;
    await world.until(async () => expect(await world.shadowPod('web')).toBeUndefined());
  });
});

test('a shadow pod of somebody else is never touched, and the pod says why it waits', async () => {
  const metadata = { namespace: 'shop-rome', name: 'web' };
  const stranger = await world.away.admin.create(ShadowPod, { metadata, spec: {} });
  await world.createPod('web');
  await world.until(async () => {
    expect((await world.pod('web'))?.status).toMatchObject({
      phase: 'Pending',
      reason: 'NameTaken',
    });
  });
  expect(world.events.map(({ reason }) => reason)).toContain('NameTaken');
  await forceDelete('web');
  await world.pass(30_000);
  expect(await world.shadowPod('web')).toEqual(stranger);
});
