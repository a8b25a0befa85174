import {
  Advertisement,
  ClusterConfig,
  NamespaceMap,
  ResourceSlice,
  VirtualNode,
  virtualNodeToleration,
} from '@liqo/api';
import { isConditionTrue, mergePatch, Node, Pod } from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';
import type { World } from './world.ts';

const patient = { timeoutMs: 30_000 };
const tenantNamespace = 'liqo-tenant-milan';
const configuration = { name: 'configuration' };
const sliceKey = { namespace: tenantNamespace, name: 'mypool' };

describe('a slice and an offer of one provider', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    world = await startWorld({
      kubernetes,
      consumer: 'rome',
      providers: ['milan'],
      virtualNodes: [{ name: 'mypool', provider: 'milan' }],
      offloaded: ['shop'],
    });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
    for (const { client } of [rome, milan]) {
      const spec = { advertisementConfig: {} } as ClusterConfig['spec'];
      await client.create(ClusterConfig, { metadata: configuration, spec });
    }
  }, 120_000);

  afterAll(() => world?.[Symbol.asyncDispose]());

  function isReady(name: string) {
    return eventually(async () => {
      const node = await rome.client.get(Node, { name });
      expect(isConditionTrue(node?.status?.conditions, 'Ready')).toBe(true);
      return node?.metadata.uid;
    }, patient);
  }

  async function isGone(name: string): Promise<void> {
    await eventually(async () => {
      const key = { namespace: tenantNamespace, name };
      expect(await rome.client.get(VirtualNode, key)).toBeUndefined();
      expect(await rome.client.get(Node, { name })).toBeUndefined();
    }, patient);
  }

  /** On the Node of its name. */
  async function runPod(nodeName: string): Promise<void> {
    await rome.client.create(Pod, {
      metadata: { namespace: 'shop', name: nodeName },
      spec: {
        nodeName,
        tolerations: [{ ...virtualNodeToleration }],
        containers: [{ name: 'web', image: 'nginx' }],
      },
    });
    await eventually(async () => expect((await pod(nodeName))?.status?.phase).toBe('Running'), {
      ...patient,
    });
  }

  const pod = (name: string) => rome.client.get(Pod, { namespace: 'shop', name });

  async function maps(): Promise<readonly string[]> {
    const { items } = await rome.client.list(NamespaceMap, { namespace: tenantNamespace });
    return items.map(({ metadata }) => metadata.uid);
  }

  async function podsAtProvider(): Promise<readonly string[]> {
    const { items } = await milan.client.list(Pod, { namespace: 'shop-rome' });
    return items.map(({ metadata }) => metadata.name);
  }

  test('give two Nodes and one NamespaceMap', async () => {
    await isReady('mypool');
    await isReady('liqo-milan');
    expect(await maps()).toHaveLength(1);
    await runPod('mypool');
    await runPod('liqo-milan');
    expect((await podsAtProvider()).toSorted()).toEqual(['liqo-milan', 'mypool']);
  });

  test('the slice goes without the offer, and comes back beside it', async () => {
    const slice = await rome.client.get(ResourceSlice, sliceKey);
    const [map, node] = [await maps(), await isReady('liqo-milan')];
    const kept = (await pod('liqo-milan'))?.metadata.uid;
    await rome.client.delete(ResourceSlice, sliceKey);
    await isGone('mypool');
    expect(await isReady('liqo-milan')).toBe(node);
    expect(await maps()).toEqual(map);
    expect(await pod('liqo-milan')).toMatchObject({
      metadata: { uid: kept },
      status: { phase: 'Running' },
    });
    expect(await podsAtProvider()).toEqual(['liqo-milan']);
    const { annotations = {}, labels = {} } = slice?.metadata ?? {};
    await eventually(async () => {
      await rome.client.create(ResourceSlice, {
        metadata: { ...sliceKey, annotations, labels },
        spec: slice?.spec ?? {},
      });
    }, patient);
    await isReady('mypool');
    await runPod('mypool');
  });

  test('the offer goes without the slice', async () => {
    const [map, node] = [await maps(), await isReady('mypool')];
    const spec = { advertisementConfig: { outgoingConfig: { enableBroadcaster: false } } };
    await milan.client.patch(ClusterConfig, configuration, mergePatch({ spec }));
    await isGone('liqo-milan');
    await eventually(async () => {
      expect((await rome.client.list(Advertisement)).items).toEqual([]);
    }, patient);
    expect(await isReady('mypool')).toBe(node);
    expect(await maps()).toEqual(map);
    expect(await podsAtProvider()).toEqual(['mypool']);
  });
});
