import { Quota, ResourceSlice, ShadowPod, Tenant, VirtualNode } from '@liqo/api';
import { Namespace, Pod } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';
import { successful } from '../testing/run-here.ts';
import { deployShop, isNodeReady, patient, shopRuns } from '../testing/shop.ts';

const original = { namespace: 'liqo-tenant-milan', name: 'milan' };
const copy = { namespace: 'liqo-tenant-rome', name: 'milan' };

describe('the states of a Tenant whose consumer has a running pod', () => {
  let world: PeeringWorld;
  /** Of what the consumer has, and of its own: no step of the test writes them. */
  let untouched: Awaited<ReturnType<typeof ownObjects>>;

  beforeAll(async () => {
    world = await startPeeringWorld();
    await successful(world.atBoth('peer --networking-disabled --cpu 4 --pods 10 --timeout 60s'));
    await deployShop(world);
    await shopRuns(world);
    untouched = await ownObjects();
  }, 180_000);

  afterAll(() => world?.[Symbol.asyncDispose]());

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
    await shopRuns(world);
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
      expect(await isNodeReady(world.rome.client)).toBe(false);
    }, patient);
  });

  test('activate tenant brings the pod back, and no object has to be touched', async () => {
    const line = 'activate tenant rome --timeout 60s';
    const { stderr } = await successful(world.atMilan(line));
    expect(stderr).toMatch(/✔ Tenant "rome" is active \(.* s\)\n(?: {2}.*\n)*✔ "rome" is let in/);
    expect(await state()).toBe('Active');
    await shopRuns(world);
    expect(await ownObjects()).toEqual(untouched);
    const again = await successful(world.atMilan(line));
    expect(again.stderr).toContain('Tenant "rome" is active already');
  });
});
