import { annotations, Quota, ResourceSlice, ShadowPod, virtualNodeToleration } from '@liqo/api';
import { Event, findCondition, mergePatch, Node, Pod, strategicMergePatch } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';
import type { World } from './world.ts';

const patient = { timeoutMs: 30_000 };

describe('a pod that the quota of a slice has no room for', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const capacity = { cpu: '4', memory: '8Gi', pods: '110' };
    world = await startWorld({
      kubernetes: await embeddedKubernetes({ clock: systemClock, random: systemRandom }),
      consumer: 'rome',
      providers: ['milan'],
      virtualNodes: [{ name: 'mypool', provider: 'milan', capacity }],
      offloaded: ['shop'],
    });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  const key = (name: string) => ({ namespace: 'shop', name });
  const remoteKey = (name: string) => ({ namespace: 'shop-rome', name });

  /** Past the scheduler, which knows the capacity of the node. */
  async function createPod(name: string, cpu: string): Promise<void> {
    const resources = { requests: { cpu } };
    await rome.client.create(Pod, {
      metadata: key(name),
      spec: {
        nodeName: 'mypool',
        tolerations: [{ ...virtualNodeToleration }],
        containers: [{ name: 'web', image: 'nginx', resources }],
      },
    });
  }

  async function status(name: string) {
    return (await rome.client.get(Pod, key(name)))?.status;
  }

  function isReady(name: string, ready = 'True') {
    return eventually(async () => {
      expect(findCondition((await status(name))?.conditions, 'Ready')?.status).toBe(ready);
    }, patient);
  }

  interface Said {
    readonly reason: string;
    readonly message: string;
  }

  function saysWhy(name: string, type: string, said: Said, eventReason = said.reason) {
    return eventually(async () => {
      const condition = findCondition((await status(name))?.conditions, type);
      expect(condition).toMatchObject(said);
      const { items } = await rome.client.list(Event, { namespace: 'shop' });
      const notes = items
        .filter(({ regarding }) => regarding?.name === name)
        .map(({ note, reason }) => ({ reason, message: note }));
      expect(notes).toContainEqual({ ...said, reason: eventReason });
    }, patient);
  }

  const cordon = (value: string | null) => {
    const slice = { namespace: 'liqo-tenant-rome', name: 'mypool' };
    const change = { metadata: { annotations: { [annotations.cordon]: value } } };
    return milan.client.patch(ResourceSlice, slice, mergePatch(change));
  };

  async function askFor(cpu: string): Promise<void> {
    const slice = { namespace: 'liqo-tenant-milan', name: 'mypool' };
    await rome.client.patch(ResourceSlice, slice, mergePatch({ spec: { resources: { cpu } } }));
    await eventually(async () => {
      const { items } = await milan.client.list(Quota);
      expect(items.map(({ spec }) => spec.resources.cpu)).toEqual([cpu]);
    }, patient);
  }

  const resize = (name: string, cpu: string) => {
    const containers = [{ name: 'web', resources: { requests: { cpu } } }];
    const patch = strategicMergePatch({ spec: { containers } });
    return rome.client.patch(Pod, key(name), patch, { subresource: 'resize' });
  };

  test('says so in words, by a condition and an Event, and runs when there is room', async () => {
    await createPod('large', '4');
    await isReady('large');
    await createPod('small', '1');
    const message = 'slice mypool: cpu 4 of 4 in use (1 requested)';
    const said = { reason: 'QuotaExceeded', message };
    await saysWhy('small', 'offloading.liqo.io/Accepted', said);
    expect(await status('small')).toMatchObject({ phase: 'Pending', ...said });
    await rome.client.delete(Pod, key('large'));
    await isReady('small');
    const after = await status('small');
    expect(after).not.toHaveProperty('reason');
    expect(findCondition(after?.conditions, 'offloading.liqo.io/Accepted')).toBeUndefined();
  });

  test('says what the webhook of the provider answers to a pod that can never fit', async () => {
    await createPod('huge', '5');
    const why = 'slice mypool: cpu 0 of 4 in use (5 requested)';
    const denial = `admission webhook "shadowpod.validate.liqo.io" denied the request: ${why}`;
    const message = `Cannot offload pod "huge": provider "milan" denies its ShadowPod: ${denial}`;
    await saysWhy('huge', 'offloading.liqo.io/Accepted', { reason: 'ShadowPodDenied', message });
    expect(await milan.client.get(ShadowPod, remoteKey('huge'))).toBeUndefined();
    await rome.client.delete(Pod, key('huge'));
  });

  test('says that a resize has no room', async () => {
    await resize('small', '6');
    const message = 'Cannot resize pod "small": slice mypool: cpu 0 of 4 in use (6 requested)';
    const said = { reason: 'Infeasible', message };
    await saysWhy('small', 'PodResizePending', said, 'ResizeInfeasible');
  });

  test('says that the slice is cordoned', async () => {
    await cordon('true');
    await createPod('late', '1');
    const message = 'slice mypool: cordoned by the provider';
    await saysWhy('late', 'offloading.liqo.io/Accepted', { reason: 'QuotaCordoned', message });
    await rome.client.delete(Pod, key('late'));
    await cordon(null);
  });

  test('follows the slice: the Node has what is granted, and nothing that is asked for no more', async () => {
    const slice = { namespace: 'liqo-tenant-milan', name: 'mypool' };
    const ask = (resources: Readonly<Record<string, string | null>>) =>
      rome.client.patch(ResourceSlice, slice, mergePatch({ spec: { resources } }));
    const allocatable = async () => (await rome.client.get(Node, { name: 'mypool' }))?.status;
    await ask({ cpu: '6', 'example.com/gpu': '2' });
    await eventually(async () => {
      const { capacity, allocatable: free } = (await allocatable()) ?? {};
      expect(free).toMatchObject({ cpu: '6', 'example.com/gpu': '2' });
      expect(capacity).toMatchObject({ cpu: '6', 'example.com/gpu': '2' });
    }, patient);
    await ask({ cpu: '4', 'example.com/gpu': null });
    await eventually(async () => {
      const { capacity, allocatable: free } = (await allocatable()) ?? {};
      expect(free).toMatchObject({ cpu: '4' });
      expect({ ...free, ...capacity }).not.toHaveProperty(['example.com/gpu']);
      const [quota] = (await milan.client.list(Quota)).items;
      expect(quota?.spec.resources).not.toHaveProperty(['example.com/gpu']);
    }, patient);
  });

  test('is not ready any more when it has run before, and ready when there is room again', async () => {
    await resize('small', '1');
    await askFor('500m');
    await milan.client.delete(Pod, remoteKey('small'), { gracePeriodSeconds: 0 });
    const message = 'slice mypool: cpu 0 of 500m in use (1 requested)';
    const said = { reason: 'QuotaExceeded', message };
    await saysWhy('small', 'offloading.liqo.io/Accepted', said);
    await isReady('small', 'False');
    await askFor('4');
    await isReady('small');
  });
});
