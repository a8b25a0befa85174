import {
  Quota,
  ResourceSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
  virtualNodeToleration,
} from '@liqo/api';
import { Deployment, findCondition, Namespace, Node, Pod } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';
import { successful } from '../testing/run-here.ts';

const patient = { timeoutMs: 60_000 };
const original = { namespace: 'liqo-tenant-milan', name: 'milan' };
const copy = { namespace: 'liqo-tenant-rome', name: 'milan' };

describe('the states of a Tenant whose consumer has a running pod', () => {
  let world: PeeringWorld;
  /** Of what the consumer has, and of its own: no step of the test writes them. */
  let untouched: Awaited<ReturnType<typeof ownObjects>>;

  beforeAll(async () => {
    world = await startPeeringWorld();
    await successful(world.atBoth('peer --networking-disabled --cpu 4 --pods 10 --timeout 60s'));
    await world.rome.client.create(Namespace, { metadata: { name: 'shop' } });
    await successful(world.atRome('offload namespace shop --timeout 60s'));
    await world.rome.client.create(Deployment, shop());
    await expectRunning();
    untouched = await ownObjects();
  }, 180_000);

  afterAll(() => world?.[Symbol.asyncDispose]());

  function shop() {
    const labels = { app: 'shop' };
    return {
      metadata: { name: 'shop', namespace: 'shop' },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            nodeName: 'milan',
            tolerations: [{ ...virtualNodeToleration }],
            containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1' } } }],
          },
        },
      },
    };
  }

  async function ownObjects() {
    const { client } = world.rome;
    const slice = await client.get(ResourceSlice, original);
    const node = await client.get(VirtualNode, original);
    return [slice, node].map((object) => ({
      uid: object?.metadata.uid,
      generation: object?.metadata.generation,
      labels: object?.metadata.labels,
    }));
  }

  async function expectRunning(): Promise<void> {
    await eventually(async () => {
      const node = await world.rome.client.get(Node, { name: 'milan' });
      expect(findCondition(node?.status?.conditions, 'Ready')).toMatchObject({ status: 'True' });
      const { items } = await world.rome.client.list(Pod, { namespace: 'shop' });
      const live = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const ready = live.map(({ status }) => findCondition(status?.conditions, 'Ready')?.status);
      expect(ready).toContain('True');
      const remote = await world.milan.client.list(Pod, { namespace: 'shop-rome' });
      expect(remote.items.map(({ status }) => status?.phase)).toEqual(['Running']);
    }, patient);
  }

  async function atProvider() {
    const { client } = world.milan;
    const [slice, quotas, shadowPods, pods, namespace] = await Promise.all([
      client.get(ResourceSlice, copy),
      client.list(Quota),
      client.list(ShadowPod),
      client.list(Pod, { namespace: 'shop-rome' }),
      client.get(Namespace, { name: 'shop-rome' }),
    ]);
    return {
      slices: slice ? 1 : 0,
      quotas: quotas.items.length,
      shadowPods: shadowPods.items.length,
      pods: pods.items.length,
      namespaces: namespace ? 1 : 0,
    };
  }

  async function state(): Promise<string | undefined> {
    const key = { namespace: 'liqo-tenant-rome', name: 'rome' };
    return (await world.milan.client.get(Tenant, key))?.spec.tenantCondition;
  }

  async function isCordoned(): Promise<boolean | undefined> {
    const { items } = await world.milan.client.list(Quota);
    return items[0]?.spec.cordoned;
  }

  test('cordon tenant keeps the pod and cordons the Quota, until uncordon tenant', async () => {
    await successful(world.atMilan('cordon tenant rome --skip-confirm --timeout 60s'));
    expect(await state()).toBe('Cordoned');
    await eventually(async () => expect(await isCordoned()).toBe(true), patient);
    await expectRunning();
    await successful(world.atMilan('uncordon tenant rome --timeout 60s'));
    expect(await state()).toBe('Active');
    await eventually(async () => expect(await isCordoned()).toBeFalsy(), patient);
  });

  test('drain tenant takes everything back, also when it is repeated', async () => {
    const line = 'drain tenant rome --skip-confirm --timeout 60s';
    const { stderr } = await successful(world.atMilan(line));
    expect(stderr).toMatch(
      /✔ Tenant "rome" is drained \(.* s\)\n(?: {2}.*\n)*✔ "rome" has nothing left here/,
    );
    expect(await state()).toBe('Drained');
    await eventually(async () => {
      expect(await atProvider()).toEqual({
        slices: 0,
        quotas: 0,
        shadowPods: 0,
        pods: 0,
        namespaces: 0,
      });
    }, patient);
    const again = await successful(world.atMilan(line));
    expect(again.stderr).toContain('Tenant "rome" is drained already');
  });

  test('the consumer keeps its slice, its virtual node and its Node, which is not Ready', async () => {
    expect(await ownObjects()).toEqual(untouched);
    await eventually(async () => {
      const node = await world.rome.client.get(Node, { name: 'milan' });
      expect(findCondition(node?.status?.conditions, 'Ready')?.status).not.toBe('True');
    }, patient);
  });

  test('activate tenant brings the pod back, and no object has to be touched', async () => {
    const line = 'activate tenant rome --timeout 60s';
    const { stderr } = await successful(world.atMilan(line));
    expect(stderr).toMatch(/✔ Tenant "rome" is active \(.* s\)\n(?: {2}.*\n)*✔ "rome" is let in/);
    expect(await state()).toBe('Active');
    await expectRunning();
    expect(await ownObjects()).toEqual(untouched);
    const again = await successful(world.atMilan(line));
    expect(again.stderr).toContain('Tenant "rome" is active already');
  });
});
