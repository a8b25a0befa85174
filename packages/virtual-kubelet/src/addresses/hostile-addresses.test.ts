import { findCondition, isConditionTrue, mergePatch, Node, Pod, ServiceCIDR } from '@liqo/kube';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OffloadingWorld, startRunningWorld } from '../testing/offloading-world.ts';

let world: OffloadingWorld;
beforeEach(async () => {
  world = await startRunningWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const type = 'offloading.liqo.io/AddressesAccepted';

/** What the provider writes into the status of its pod. */
async function report(podIP: string): Promise<void> {
  const status = mergePatch({ status: { podIP, podIPs: [{ ip: podIP }] } });
  const key = { namespace: 'shop-rome', name: 'web' };
  await world.away.admin.patch(Pod, key, status, { subresource: 'status' });
}

async function addMachine(): Promise<void> {
  const { admin } = world.home;
  const spec = { podCIDR: '10.244.3.0/24', podCIDRs: ['10.244.3.0/24'] };
  await admin.create(Node, { metadata: { name: 'machine' }, spec });
  const addresses = [{ type: 'InternalIP', address: '192.168.7.4' }];
  const patch = mergePatch({ status: { addresses } });
  await admin.patch(Node, { name: 'machine' }, patch, { subresource: 'status' });
}

async function podAtConsumer() {
  const status = (await world.pod('web'))?.status;
  return { status, isReady: isConditionTrue(status?.conditions, 'Ready') };
}

/** Running and Ready, and in no EndpointSlice: those are for pods that have an address. */
async function expectNoAddress(): Promise<void> {
  await world.until(async () => {
    const { status, isReady } = await podAtConsumer();
    expect(status).toMatchObject({ phase: 'Running', hostIP: '127.0.0.1' });
    expect(isReady).toBe(true);
    expect([status?.podIP, status?.podIPs]).toEqual([undefined, undefined]);
    expect(findCondition(status?.conditions, type)).toMatchObject({ reason: 'AddressRefused' });
  });
}

async function expectAddress(ip: string): Promise<void> {
  await world.until(async () => {
    const { status } = await podAtConsumer();
    expect(status).toMatchObject({ podIP: ip, podIPs: [{ ip }] });
    expect(findCondition(status?.conditions, type)).toBeUndefined();
  });
}

describe('an address of the consumer that a provider reports', () => {
  // Of the pods of a Node, of the Node, of Services.
  test.each(['10.244.3.9', '192.168.7.4', '10.96.0.10'])(
    'does not reach the pod: %s',
    async (address) => {
      await addMachine();
      await world.pass(2_000);
      await world.runPod('web');
      await report(address);
      await expectNoAddress();
      await report('10.80.0.9');
      await expectAddress('10.80.0.9');
    },
  );

  test('leaves the pod when a Node with that address joins, and comes back when it leaves', async () => {
    await world.runPod('web');
    await report('10.244.3.9');
    await expectAddress('10.244.3.9');
    await addMachine();
    await expectNoAddress();
    await world.home.admin.delete(Node, { name: 'machine' });
    await expectAddress('10.244.3.9');
  });
});

describe('an address in a range that Services get later', () => {
  test('leaves the pod within minutes', async () => {
    await world.runPod('web');
    await report('10.80.0.9');
    await expectAddress('10.80.0.9');
    const ranges = { metadata: { name: 'more' }, spec: { cidrs: ['10.80.0.0/16'] } };
    await world.home.admin.create(ServiceCIDR, ranges);
    await world.pass(700_000);
    await expectNoAddress();
  });
});
