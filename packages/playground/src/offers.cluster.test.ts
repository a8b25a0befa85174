import {
  Advertisement,
  ClusterConfig,
  NamespaceOffloading,
  Quota,
  ShadowPod,
  Tenant,
  VirtualNode,
  virtualNodeToleration,
} from '@liqo/api';
import {
  Deployment,
  isConditionTrue,
  mergePatch,
  Namespace,
  Node,
  Pod,
  RoleBinding,
  Secret,
} from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually, rejection } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';
import type { World } from './world.ts';

const patient = { timeoutMs: 30_000 };
const here = { namespace: 'liqo-tenant-milan', name: 'advertisement-milan' };
const there = { namespace: 'liqo-tenant-rome', name: 'advertisement-milan' };
const virtualNodeKey = { namespace: 'liqo-tenant-milan', name: 'liqo-milan' };
const configuration = { name: 'configuration' };

describe('an offer of a provider', () => {
  let world: World<Minicluster>;
  let rome: Minicluster;
  let milan: Minicluster;

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({ clock: systemClock, random: systemRandom });
    world = await startWorld({ kubernetes, consumer: 'rome', providers: ['milan'] });
    [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  });

  afterAll(() => world?.[Symbol.asyncDispose]());

  async function configure({ client }: Minicluster, advertisementConfig: object): Promise<void> {
    const spec = { advertisementConfig } as ClusterConfig['spec'];
    if (await client.get(ClusterConfig, configuration)) {
      await client.patch(ClusterConfig, configuration, mergePatch({ spec } as never));
    } else {
      await client.create(ClusterConfig, { metadata: configuration, spec });
    }
  }

  const copy = () => rome.client.get(Advertisement, here);
  const original = () => milan.client.get(Advertisement, there);

  function isReady() {
    return eventually(async () => {
      const node = await rome.client.get(Node, { name: 'liqo-milan' });
      expect(isConditionTrue(node?.status?.conditions, 'Ready')).toBe(true);
      return node;
    }, patient);
  }

  test('is not sent before there is a ClusterConfig', async () => {
    expect(await original()).toBeUndefined();
    expect(await copy()).toBeUndefined();
  });

  test('becomes a ready Node with its share of what is free', async () => {
    await configure(rome, {});
    await configure(milan, { outgoingConfig: { resourceSharingPercentage: 50 } });
    const node = await isReady();
    const offered = (await original())?.spec.resourceQuota.hard ?? {};
    expect(Object.keys(offered)).toEqual(expect.arrayContaining(['cpu', 'memory', 'pods']));
    expect(node?.status?.allocatable).toMatchObject({ pods: String(offered.pods) });
    await eventually(async () => {
      expect((await original())?.status).toMatchObject({
        phase: 'Accepted',
        virtualNodeRef: { name: 'liqo-milan' },
      });
    }, patient);
  });

  test('runs pods as a user of its own, within its Quota', async () => {
    await rome.client.create(Namespace, { metadata: { name: 'shop' } });
    await rome.client.create(NamespaceOffloading, {
      metadata: { namespace: 'shop', name: 'offloading' },
      spec: {} as NamespaceOffloading['spec'],
    });
    await eventually(async () => {
      await rome.client.create(Pod, {
        metadata: { namespace: 'shop', name: 'web' },
        spec: {
          nodeSelector: { 'liqo.io/type': 'virtual-node' },
          tolerations: [{ ...virtualNodeToleration }],
          containers: [
            {
              name: 'web',
              image: 'nginx',
              resources: { requests: { cpu: '100m', memory: '10Mi' } },
            },
          ],
        },
      });
    }, patient);
    await eventually(async () => {
      const pod = await rome.client.get(Pod, { namespace: 'shop', name: 'web' });
      expect(pod?.status?.phase).toBe('Running');
    }, patient);
    const { items: quotas } = await milan.client.list(Quota, { namespace: there.namespace });
    expect(quotas).toHaveLength(1);
    expect(quotas[0]?.spec.resources).toEqual((await original())?.spec.resourceQuota.hard);
    const { items: shadows } = await milan.client.list(ShadowPod);
    expect(shadows.map(({ metadata }) => metadata.namespace)).toEqual(['shop-rome']);
  });

  test('is read by the consumer with no more than its Secret, and changed only in its status', async () => {
    const asRome = await milan.clientFor({ name: 'rome', groups: ['liqo.io'] });
    const secret = { namespace: there.namespace, name: 'kubeconfig-offer' };
    expect(await asRome.get(Secret, secret)).toBeDefined();
    const refused = [
      asRome.get(Secret, { ...secret, name: 'liqo-offer-certificate' }),
      asRome.list(Secret, { namespace: there.namespace }),
      asRome.patch(Advertisement, there, mergePatch({ spec: { properties: { x: 'y' } } })),
      asRome.delete(Advertisement, there),
    ];
    for (const call of refused) expect(await rejection(call)).toMatchObject({ code: 403 });
    const { items } = await rome.client.list(RoleBinding, { namespace: here.namespace });
    expect(items.filter(({ roleRef }) => roleRef.name.includes('remote'))).toEqual([]);
  });

  test('has its virtual kubelet, its VirtualNode and its Node made again', async () => {
    const kubelet = { namespace: here.namespace, name: 'vk-liqo-milan' };
    const before = await rome.client.get(Deployment, kubelet);
    await rome.client.delete(Deployment, kubelet);
    await eventually(async () => {
      const after = await rome.client.get(Deployment, kubelet);
      expect(after && after.metadata.uid !== before?.metadata.uid).toBe(true);
    }, patient);
    const node = await isReady();
    await rome.client.delete(Node, { name: 'liqo-milan' });
    await eventually(async () => {
      const after = await rome.client.get(Node, { name: 'liqo-milan' });
      expect(after && after.metadata.uid !== node?.metadata.uid).toBe(true);
    }, patient);
    await isReady();
  });

  test('follows another share at once, and stays accepted', async () => {
    const before = await copy();
    await configure(milan, { outgoingConfig: { resourceSharingPercentage: 25 } });
    await eventually(async () => {
      const after = await copy();
      expect(after?.spec.resourceQuota.hard).not.toEqual(before?.spec.resourceQuota.hard);
      const node = await rome.client.get(Node, { name: 'liqo-milan' });
      expect(node?.status?.allocatable?.pods).toBe(String(after?.spec.resourceQuota.hard?.pods));
    }, patient);
    expect(await copy()).toMatchObject({
      metadata: { uid: before?.metadata.uid },
      status: { phase: 'Accepted' },
    });
  });

  test('is withdrawn: Node and virtual kubelet go, then the copy, then user and Quota', async () => {
    await configure(milan, { outgoingConfig: { enableBroadcaster: false } });
    await eventually(async () => expect(await original()).toBeUndefined(), patient);
    expect(await copy()).toBeUndefined();
    expect(await rome.client.get(VirtualNode, virtualNodeKey)).toBeUndefined();
    expect(await rome.client.get(Node, { name: 'liqo-milan' })).toBeUndefined();
    await eventually(async () => {
      const { items: quotas } = await milan.client.list(Quota, { namespace: there.namespace });
      expect(quotas).toEqual([]);
      const secret = { namespace: there.namespace, name: 'kubeconfig-offer' };
      expect(await milan.client.get(Secret, secret)).toBeUndefined();
      const { items: pods } = await milan.client.list(Pod, { namespace: 'shop-rome' });
      expect(pods).toEqual([]);
    }, patient);
  });

  test('is sent anew, and ends with the Tenant', async () => {
    await configure(milan, { outgoingConfig: { enableBroadcaster: true } });
    await isReady();
    const { items } = await milan.client.list(Tenant, { namespace: there.namespace });
    const [tenant] = items;
    const drained = mergePatch({ spec: { tenantCondition: 'Drained' } });
    const key = { namespace: there.namespace, name: tenant?.metadata.name ?? '' };
    await milan.client.patch(Tenant, key, drained);
    await eventually(async () => expect(await original()).toBeUndefined(), patient);
  });
});
