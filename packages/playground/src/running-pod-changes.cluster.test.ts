import { virtualNodeToleration } from '@liqo/api';
import { type Json, mergePatch, Pod, type Stored, strategicMergePatch } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';
import type { World } from './world.ts';

const patient = { timeoutMs: 30_000 };
const key = { namespace: 'shop', name: 'web' };
const remoteKey = { namespace: 'shop-rome', name: 'web' };

describe('a change of a pod that runs at a provider', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    world = await startWorld({
      kubernetes: await embeddedKubernetes({ clock: systemClock, random: systemRandom }),
      consumer: 'rome',
      providers: ['milan'],
      virtualNodes: [{ name: 'mynode', provider: 'milan' }],
      offloaded: ['shop'],
    });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
    const resources = { requests: { cpu: '100m' } };
    await rome.client.create(Pod, {
      metadata: { ...key, annotations: { 'minicluster.liqo-ts.dev/exit-code.setup': '0' } },
      spec: {
        nodeSelector: { 'liqo.io/type': 'virtual-node' },
        tolerations: [{ ...virtualNodeToleration }],
        containers: [{ name: 'web', image: 'nginx', resources }],
        initContainers: [
          { name: 'setup', image: 'setup', resources },
          { name: 'proxy', image: 'envoy', restartPolicy: 'Always', resources },
        ],
      },
    });
    await shows({ phase: 'Running', containerStatuses: [{ resources }] });
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  function shows(status: object): Promise<Stored<Pod>> {
    return eventually(async () => {
      const pod = await rome.client.get(Pod, key);
      expect(pod?.status).toMatchObject(status);
      return pod as Stored<Pod>;
    }, patient);
  }

  async function change(subresource: 'resize' | 'ephemeralcontainers', spec: object) {
    return rome.client.patch(Pod, key, strategicMergePatch({ spec: spec as Json }), {
      subresource,
    });
  }

  test('resizes containers and sidecars in place, and shows what they have', async () => {
    const before = await milan.client.get(Pod, remoteKey);
    const sized = (name: string, cpu: string) => [{ name, resources: { requests: { cpu } } }];
    const { metadata } = await change('resize', {
      containers: sized('web', '200m'),
      initContainers: sized('proxy', '300m'),
    });
    const amounts = (cpu: string) => ({
      restartCount: 0,
      allocatedResources: { cpu },
      resources: { requests: { cpu } },
    });
    await shows({
      observedGeneration: metadata.generation,
      containerStatuses: [amounts('200m')],
      initContainerStatuses: [{ name: 'setup' }, { name: 'proxy', ...amounts('300m') }],
    });
    const after = await milan.client.get(Pod, remoteKey);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.spec?.initContainers).toMatchObject([
      { name: 'setup', resources: { requests: { cpu: '100m' } } },
      { name: 'proxy', resources: { requests: { cpu: '300m' } } },
    ]);
  });

  test('shows that a resize is impossible, and no more of it once it is taken back', async () => {
    const sized = (cpu: string) => ({
      initContainers: [{ name: 'proxy', resources: { requests: { cpu } } }],
    });
    await change('resize', sized('9000'));
    const pending = { type: 'PodResizePending', status: 'True', reason: 'Infeasible' };
    const condition = expect.objectContaining(pending);
    await shows({ conditions: expect.arrayContaining([condition]) });
    await change('resize', sized('300m'));
    await eventually(async () => {
      const pod = await rome.client.get(Pod, key);
      const types = pod?.status?.conditions?.map(({ type }) => type) ?? [];
      expect(types.filter((type) => type.startsWith('PodResize'))).toEqual([]);
    }, patient);
  });

  const debug = (name: string, container: object = {}) =>
    change('ephemeralcontainers', {
      ephemeralContainers: [{ name, image: 'busybox', targetContainerName: 'web', ...container }],
    });

  function showsEphemeral(name: string, state: object): Promise<Stored<Pod>> {
    const one = expect.objectContaining({ name, state: expect.objectContaining(state) });
    return shows({ ephemeralContainerStatuses: expect.arrayContaining([one]) });
  }

  test('runs an ephemeral container beside the others, whose log can be read', async () => {
    const { metadata } = await debug('shell');
    await showsEphemeral('shell', { running: expect.anything() });
    await shows({ observedGeneration: metadata.generation });
    const log = await rome.client.logs(key, { container: 'shell' });
    for await (const chunk of log) expect(chunk).toBeInstanceOf(Uint8Array);
  });

  test('shows why the provider denies an ephemeral container, and holds up nothing else', async () => {
    await debug('root', { securityContext: { privileged: true } });
    const message = expect.stringContaining('PodSecurity "baseline');
    await showsEphemeral('root', { waiting: { reason: 'FailedUpdatePod', message } });
    await rome.client.patch(Pod, key, mergePatch({ metadata: { labels: { tier: 'front' } } }));
    await debug('second');
    await showsEphemeral('second', { running: expect.anything() });
    await eventually(async () => {
      const { metadata, spec } = (await milan.client.get(Pod, remoteKey)) ?? {};
      expect(metadata?.labels).toMatchObject({ tier: 'front' });
      const names = spec?.ephemeralContainers?.map(({ name }) => name);
      expect(names?.sort()).toEqual(['second', 'shell']);
    }, patient);
  });

  test('ends an ephemeral container with the pod at the provider, which comes back without it', async () => {
    const { metadata } = (await milan.client.get(Pod, remoteKey)) ?? {};
    await milan.client.delete(Pod, remoteKey, { gracePeriodSeconds: 0 });
    const terminated = { exitCode: 137, reason: 'ContainerStatusUnknown' };
    await showsEphemeral('shell', { terminated: expect.objectContaining(terminated) });
    await eventually(async () => {
      const again = await milan.client.get(Pod, remoteKey);
      expect(again?.status?.phase).toBe('Running');
      expect(again?.metadata.uid).not.toBe(metadata?.uid);
      expect(again?.spec?.ephemeralContainers ?? []).toEqual([]);
    }, patient);
  });
});
