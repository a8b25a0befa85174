import { labels, ShadowPod } from '@liqo/api';
import { Event, mergePatch, Pod } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { isWrite } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startShadowPodController } from '../shadow-pods/shadow-pod-controller.ts';
import { controllersUser } from '../testing/installation.ts';
import { startQuotaWorld } from '../testing/quota-world.ts';

describe('the pods of a slice', () => {
  let world: Awaited<ReturnType<typeof startQuotaWorld>>;
  let controller: Stoppable;

  beforeAll(async () => {
    world = await startQuotaWorld();
    await world.createQuota('mypool', { cpu: '4', memory: '8Gi', pods: '10' });
  });

  beforeEach(() => {
    controller = start();
  });

  afterEach(async () => {
    const { client } = world.milan;
    const { items } = await client.list(ShadowPod, { namespace: world.namespace });
    for (const { metadata } of items) await world.deleteShadowPod(metadata.name);
    await eventually(async () => expect(await world.livePods()).toEqual([]));
    await world.changeQuota('mypool', { cordoned: false, resources: { cpu: '4' } });
    await controller[Symbol.asyncDispose]();
  });

  afterAll(() => world[Symbol.asyncDispose]());

  function start(enforceQuotas = true): Stoppable {
    const at = { usualMs: 0, burstMs: 0 };
    const phaseDelays = { running: at, pending: at };
    return startShadowPodController(world.milan.context, { enforceQuotas, phaseDelays });
  }

  function waits(name: string, reason: string, message: string) {
    return eventually(async () => {
      expect((await world.shadowPod(name))?.status).toMatchObject({ reason, message });
      expect(await world.pod(name)).toBeUndefined();
    });
  }

  const full = 'slice mypool: cpu 4 of 4 in use (1 requested)';

  test('wait beyond it, with the figures in status and Event, and start when one has finished', async () => {
    await world.create('large', { cpu: '4' });
    await world.made('large');
    await world.create('waiting', { cpu: '1' });
    await waits('waiting', 'QuotaExceeded', full);
    const { items } = await world.milan.client.list(Event, { namespace: world.namespace });
    expect(items.filter(({ reason }) => reason === 'QuotaExceeded')).toMatchObject([
      { type: 'Warning', note: full, regarding: { kind: 'ShadowPod', name: 'waiting' } },
    ]);
    await world.setPhase('large', 'Succeeded');
    await world.made('waiting');
  });

  test('start when a pod is deleted, and when the quota grows', async () => {
    await world.create('first', { cpu: '3' });
    await world.made('first');
    await world.create('second', { cpu: '3' });
    await waits('second', 'QuotaExceeded', 'slice mypool: cpu 3 of 4 in use (3 requested)');
    await world.deleteShadowPod('first');
    await world.made('second');
    await world.create('third', { cpu: '3' });
    await waits('third', 'QuotaExceeded', 'slice mypool: cpu 3 of 4 in use (3 requested)');
    await world.changeQuota('mypool', { resources: { cpu: '6' } });
    await world.made('third');
  });

  test('are kept out by a cordon, and let in when it is lifted', async () => {
    await world.create('running', { cpu: '1' });
    const { metadata } = await world.made('running');
    await world.setPhase('running', 'Running');
    await eventually(async () => {
      expect((await world.shadowPod('running'))?.status?.phase).toBe('Running');
    });
    await world.changeQuota('mypool', { cordoned: true });
    await world.create('late', { cpu: '1' });
    await waits('late', 'QuotaCordoned', 'slice mypool: cordoned by the provider');
    await world.milan.client.delete(
      Pod,
      { namespace: world.namespace, name: 'running' },
      { gracePeriodSeconds: 0 },
    );
    await eventually(async () => {
      const again = await world.made('running');
      expect(again.metadata.uid).not.toBe(metadata.uid);
    });
    await world.changeQuota('mypool', { cordoned: false });
    await world.made('late');
  });

  test('keep the user whom they were charged to, whatever is said later', async () => {
    await world.createQuota('other', { cpu: '1', pods: '10' });
    await world.create('moved', { cpu: '4' });
    await world.made('moved');
    const key = { namespace: world.namespace, name: 'moved' };
    const marks = { [labels.creatorUser]: 'other-a8a4c692b93b', tier: 'front' };
    await world.milan.client.patch(ShadowPod, key, mergePatch({ metadata: { labels: marks } }));
    await eventually(async () => {
      expect((await world.pod('moved'))?.metadata.labels).toMatchObject({
        tier: 'front',
        [labels.creatorUser]: 'mypool-a8a4c692b93b',
      });
    });
    await world.create('waiting', { cpu: '1' });
    await waits('waiting', 'QuotaExceeded', full);
    await world.deleteQuota('other');
  });

  test('are not resized beyond it, with the figures in status', async () => {
    await world.create('grows', { cpu: '1' });
    await world.create('beside', { cpu: '2' });
    await world.made('grows');
    await world.made('beside');
    const key = { namespace: world.namespace, name: 'grows' };
    const resize = (cpu: string) => {
      const containers = [{ name: 'web', image: 'nginx', resources: { requests: { cpu } } }];
      return world.milan.client.patch(
        ShadowPod,
        key,
        mergePatch({ spec: { pod: { containers } } }),
      );
    };
    await resize('3');
    await eventually(async () => {
      expect((await world.shadowPod('grows'))?.status).toMatchObject({
        reason: 'FailedUpdatePod',
        message: 'Cannot resize pod "grows": slice mypool: cpu 2 of 4 in use (3 requested)',
      });
    });
    await world.deleteShadowPod('beside');
    await eventually(async () => {
      const [container] = (await world.pod('grows'))?.spec?.containers ?? [];
      expect(container?.resources?.requests).toEqual({ cpu: '3' });
    });
  });

  test('are judged the same after a restart, which writes nothing', async () => {
    await world.create('large', { cpu: '4' });
    await world.made('large');
    await world.create('waiting', { cpu: '1' });
    await waits('waiting', 'QuotaExceeded', full);
    await eventually(async () => {
      expect((await world.shadowPod('large'))?.status?.phase).toBe('Pending');
    });
    await controller[Symbol.asyncDispose]();
    world.milan.calls.calls.length = 0;
    controller = start();
    await world.create('marker', { cpu: '1' });
    await waits('marker', 'QuotaExceeded', full);
    const writes = world.milan.calls.callsOf(controllersUser).filter(isWrite);
    expect(writes.filter(({ name }) => name === 'waiting' || name === 'large')).toEqual([]);
  });

  test('are not charged for a dry run', async () => {
    await world.milan.client.create(
      ShadowPod,
      {
        metadata: {
          namespace: world.namespace,
          name: 'dry',
          labels: { [labels.origin]: 'rome', [labels.creatorUser]: 'mypool-a8a4c692b93b' },
        },
        spec: { pod: { containers: [{ name: 'web', image: 'nginx' }] } },
      },
      { dryRun: true },
    );
    await world.create('large', { cpu: '4' });
    await world.made('large');
    expect(await world.pod('dry')).toBeUndefined();
  });

  test('are not limited where quotas are not enforced', async () => {
    await controller[Symbol.asyncDispose]();
    controller = start(false);
    await world.create('huge', { cpu: '400' });
    await world.made('huge');
  });
});
