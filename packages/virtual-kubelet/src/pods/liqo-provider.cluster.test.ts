import { mergePatch, Pod, strategicMergePatch } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LiqoWorld, startLiqoWorld } from '../testing/liqo-world.ts';

const accepted = 'offloading.liqo.io/Accepted';

describe('a virtual kubelet whose provider runs Liqo', () => {
  let world: LiqoWorld;

  beforeAll(async () => {
    world = await startLiqoWorld();
  });
  beforeEach(() => {
    world.liqo.webhook.denials.length = 0;
  });
  afterEach(() => {
    world.liqo.webhook.denyCreates = undefined;
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const key = (name: string) => ({ namespace: 'shop', name });

  test('ends 20 deleted pods within seconds, and none is made again', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `web-${index}`);
    await world.runPods(names);
    const made = world.liqo.controller.madePods.length;
    for (const name of names) await world.consumer.client.delete(Pod, key(name));
    await eventually(
      async () => {
        for (const name of names) {
          expect(await world.pod(name)).toBeUndefined();
          expect(await world.shadowPod(name)).toBeUndefined();
          expect(await world.remotePod(name)).toBeUndefined();
        }
      },
      { timeoutMs: 20_000, intervalMs: 200 },
    );
    expect(world.liqo.controller.madePods).toHaveLength(made);
    expect(world.liqo.webhook.denials).toEqual([]);
  });

  test('shows how the container of a deleted pod ended, although its ShadowPod is gone by then', async () => {
    await world.runPods(['ending']);
    const remote = { namespace: 'shop-rome', name: 'ending' };
    const hold = mergePatch({ metadata: { finalizers: ['example.org/hold'] } });
    await world.milan.client.patch(Pod, remote, hold);
    await world.consumer.client.delete(Pod, key('ending'));
    await eventually(async () => {
      expect(await world.shadowPod('ending')).toBeUndefined();
      const { containerStatuses: [main] = [] } = (await world.pod('ending'))?.status ?? {};
      expect(main?.state?.terminated).toBeDefined();
    });
    const release = mergePatch({ metadata: { finalizers: null } });
    await world.milan.client.patch(Pod, remote, release);
    await eventually(async () => expect(await world.pod('ending')).toBeUndefined());
  });

  test('says on the pod why its ShadowPod is denied, and starts it once it is accepted', async () => {
    world.liqo.webhook.denyCreates = 'the quota of user "rome" is exceeded';
    await world.createPod('greedy');
    await eventually(async () => {
      expect(await world.condition('greedy', accepted)).toMatchObject({
        status: 'False',
        reason: 'ShadowPodDenied',
        message:
          'Cannot offload pod "greedy": provider "milan" denies its ShadowPod: admission webhook ' +
          '"shadowpod.validate.liqo.io" denied the request: the quota of user "rome" is exceeded',
      });
    });
    expect(world.events).toContainEqual(
      expect.objectContaining({
        reason: 'ShadowPodDenied',
        note: expect.stringContaining('the quota of user "rome" is exceeded'),
      }),
    );
    world.liqo.webhook.denyCreates = undefined;
    await eventually(async () => {
      expect((await world.pod('greedy'))?.status?.phase).toBe('Running');
      expect(await world.condition('greedy', accepted)).toBeUndefined();
    });
  });

  test('updates what Liqo accepts, reports the rest, and goes on reflecting the status', async () => {
    const resources = { requests: { cpu: '100m' } };
    await world.runPods(['grown'], { containers: [{ name: 'main', image: 'i', resources }] });
    const pods = world.consumer.client;
    const labels = mergePatch({ metadata: { labels: { tier: 'front' } } });
    await pods.patch(Pod, key('grown'), labels);
    const grown = [{ name: 'main', resources: { requests: { cpu: '200m' } } }];
    const resize = strategicMergePatch({ spec: { containers: grown } });
    await pods.patch(Pod, key('grown'), resize, { subresource: 'resize' });
    const image = [{ name: 'main', image: 'i:2' }];
    await pods.patch(Pod, key('grown'), strategicMergePatch({ spec: { containers: image } }));
    await eventually(async () => {
      expect(await world.condition('grown', accepted)).toMatchObject({
        status: 'False',
        reason: 'ShadowPodUpdateDenied',
        message: expect.stringContaining('spec fields other than the mutable ones have changed'),
      });
      const shadowPod = await world.shadowPod('grown');
      expect(shadowPod?.metadata.labels).toMatchObject({ tier: 'front' });
      expect(shadowPod?.spec.pod?.containers[0]).toMatchObject({ image: 'i:2', resources });
    });
    const notReady = { status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    const remote = { namespace: 'shop-rome', name: 'grown' };
    const patch = strategicMergePatch(notReady);
    await world.milan.client.patch(Pod, remote, patch, { subresource: 'status' });
    await eventually(async () => {
      expect((await world.condition('grown', 'Ready'))?.status).toBe('False');
    });
    const before = world.liqo.webhook.denials.length;
    expect(before).toBeLessThanOrEqual(6);
    await pods.patch(
      Pod,
      key('grown'),
      strategicMergePatch({ spec: { containers: [{ name: 'main', resources }] } }),
      { subresource: 'resize' },
    );
    await eventually(async () => {
      expect(await world.condition('grown', accepted)).toBeUndefined();
    });
  });
});
