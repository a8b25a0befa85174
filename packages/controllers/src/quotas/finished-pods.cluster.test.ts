import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startShadowPodController } from '../shadow-pods/shadow-pod-controller.ts';
import { startQuotaWorld } from '../testing/quota-world.ts';

const full = 'slice mypool: cpu 4 of 4 in use (1 requested)';

describe('finished pods and the quota of their slice', () => {
  let world: Awaited<ReturnType<typeof startQuotaWorld>>;
  let controller: Stoppable;

  beforeAll(async () => {
    world = await startQuotaWorld();
    await world.createQuota('mypool', { cpu: '4' });
  });

  beforeEach(() => {
    controller = start();
  });

  afterEach(async () => {
    for (const { metadata } of await world.shadowPods()) await world.deleteShadowPod(metadata.name);
    await eventually(async () => expect(await world.livePods()).toEqual([]));
    await controller[Symbol.asyncDispose]();
  });

  afterAll(() => world[Symbol.asyncDispose]());

  const start = () => startShadowPodController(world.milan.context, { enforceQuotas: true });

  async function fill(round: string): Promise<readonly string[]> {
    const names = [0, 1, 2, 3].map((index) => `${round}-${index}`);
    for (const name of names) await world.create(name, { cpu: '1' });
    for (const name of names) await world.made(name);
    return names;
  }

  async function isFull(name: string): Promise<void> {
    await world.create(name, { cpu: '1' });
    await eventually(async () => {
      const { status } = (await world.shadowPod(name)) ?? {};
      expect(status).toMatchObject({ reason: 'QuotaExceeded', message: full });
    });
    await world.deleteShadowPod(name);
  }

  /** Until the controller has seen it. */
  async function finish(name: string, phase: 'Failed' | 'Succeeded'): Promise<void> {
    await world.setPhase(name, phase);
    await eventually(async () => {
      expect((await world.shadowPod(name))?.status?.phase).toBe(phase);
    });
  }

  test.each(['Succeeded', 'Failed'] as const)('[#3137] %s ones free all of it', async (phase) => {
    for (const name of await fill('first')) await finish(name, phase);
    await fill('second');
    await isFull('one-more');
    expect(await world.shadowPods()).toHaveLength(8);
  });

  test('those that finished before the controller started use nothing', async () => {
    const names = await fill('first');
    await controller[Symbol.asyncDispose]();
    for (const name of names) await world.setPhase(name, 'Failed');
    controller = start();
    await fill('second');
    await isFull('one-more');
  });

  test('[#3366] each frees it once, however often it is reported and when it is deleted', async () => {
    const [first = '', second = ''] = await fill('first');
    await finish(first, 'Succeeded');
    await world.touch(first);
    await world.deleteShadowPod(first);
    await world.deleteShadowPod(second);
    await eventually(async () => expect(await world.pod(second)).toBeUndefined());
    for (const name of ['again-0', 'again-1']) await world.create(name, { cpu: '1' });
    for (const name of ['again-0', 'again-1']) await world.made(name);
    await isFull('one-more');
  });
});
