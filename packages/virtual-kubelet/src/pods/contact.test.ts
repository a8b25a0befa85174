import { ShadowPod } from '@liqo/api';
import { findCondition, Pod } from '@liqo/kube';
import { always, lostRequest, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

async function readyOf(name: string) {
  return findCondition((await world.pod(name))?.status?.conditions, 'Ready');
}

async function untilReady(name: string, status: string): Promise<void> {
  await world.until(async () => expect(await readyOf(name)).toMatchObject({ status }));
}

describe('a pod whose provider cannot be reached', () => {
  test.each([
    ['refuses connections', lostRequest('refuse')],
    ['is silent', lostRequest('stall')],
    ['answers 401', refusal(401)],
    ['answers 500', refusal(500)],
  ])('is not ready while it %s, keeps its phase, and comes back as it was', async (_, fault) => {
    const { metadata } = await world.runPod('web');
    const remote = await world.remotePod('web');
    world.away.faults.plan = always(fault);
    await untilReady('web', 'False');
    expect(await readyOf('web')).toMatchObject({ reason: 'ProviderUnreachable' });
    await world.pass(120_000);
    expect((await world.pod('web'))?.status?.phase).toBe('Running');
    world.away.faults.plan = noFaults;
    await untilReady('web', 'True');
    expect((await world.pod('web'))?.metadata.uid).toBe(metadata.uid);
    expect((await world.remotePod('web'))?.metadata.uid).toBe(remote?.metadata.uid);
  });

  test('is not ready either for a kubelet that starts while nobody answers', async () => {
    await world.runPod('web');
    await world.stop(world.kubelet);
    world.away.faults.plan = always(lostRequest('refuse'));
    await world.startWorkingKubelet();
    await untilReady('web', 'False');
    expect((await world.pod('web'))?.status?.phase).toBe('Running');
  });

  test('is not ready even if it has a change that cannot be brought over', async () => {
    await world.runPod('web');
    world.away.faults.plan = always(lostRequest('refuse'));
    const [key, metadata] = [{ namespace: 'shop', name: 'web' }, { labels: { tier: 'gold' } }];
    await world.home.admin.apply(
      Pod,
      { metadata: { ...key, ...metadata } },
      { fieldManager: 'me' },
    );
    await untilReady('web', 'False');
  });
});

describe('a pod that somebody deletes over there', () => {
  test.each([
    ['the pod itself', Pod],
    ['its shadow pod', ShadowPod],
  ])('never fails, and runs again with its UID: %s', async (_, kind) => {
    const { metadata } = await world.runPod('web');
    const before = await world.remotePod('web');
    const phases = new Set<string | undefined>();
    await world.away.admin.delete(kind as typeof Pod, { namespace: 'shop-rome', name: 'web' });
    await world.until(async () => {
      phases.add((await world.pod('web'))?.status?.phase);
      const after = await world.remotePod('web');
      expect(after).toBeDefined();
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    });
    await untilReady('web', 'True');
    expect([...phases]).toEqual(['Running']);
    expect((await world.pod('web'))?.metadata.uid).toBe(metadata.uid);
  });
});

describe('a pod that has finished', () => {
  test.each(['Succeeded', 'Failed'] as const)(
    'stays %s, whatever is removed over there and whoever starts again',
    async (phase) => {
      await world.runPod('job', { restartPolicy: 'Never' });
      await world.provider.finish('shop-rome', 'job', phase);
      await world.until(async () => expect((await world.pod('job'))?.status?.phase).toBe(phase));
      const finished = await world.pod('job');
      await world.away.admin.delete(ShadowPod, { namespace: 'shop-rome', name: 'job' });
      await world.until(async () => expect(await world.remotePod('job')).toBeUndefined());
      await world.stop(world.kubelet);
      await world.startWorkingKubelet();
      await world.unmap('shop');
      await world.pass(30_000);
      await world.map({ shop: 'shop-rome' });
      await world.pass(30_000);
      expect(await world.shadowPod('job')).toBeUndefined();
      expect(await world.pod('job')).toEqual(finished);
    },
  );
});
