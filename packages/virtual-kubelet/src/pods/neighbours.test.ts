import { labels, ShadowPod } from '@liqo/api';
import { Namespace, Pod, ServiceAccount, type Stored } from '@liqo/kube';
import { always } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type OffloadingWorld,
  startRunningWorld,
  startWorld,
} from '../testing/offloading-world.ts';

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
  await createNamespace('bank');
  await world.map({ shop: 'shop-rome', bank: 'bank-rome' });
});
afterEach(() => world[Symbol.asyncDispose]());

async function createNamespace(name: string): Promise<void> {
  const { home, away } = world;
  const marks = { [labels.remoteClusterID]: 'rome' };
  await home.admin.create(Namespace, { metadata: { name } });
  await home.admin.create(ServiceAccount, { metadata: { namespace: name, name: 'default' } });
  await away.admin.create(Namespace, { metadata: { name: `${name}-rome`, labels: marks } });
  const namespace = `${name}-rome`;
  await away.admin.create(ServiceAccount, { metadata: { namespace, name: 'default' } });
}

const countOf = async (namespace: string) =>
  (await world.away.admin.list(ShadowPod, { namespace })).items.length;

async function openTill(): Promise<void> {
  const spec = { nodeName: 'mynode', containers: [{ name: 'main', image: 'i' }] };
  await world.home.admin.create(Pod, { metadata: { namespace: 'bank', name: 'till' }, spec });
  await world.until(async () => expect(await countOf('bank-rome')).toBe(1));
}

/** So many pods are under way to the provider at first, and to their end. */
const atOnce = 10;
const endsAtOnce = 8;
const version = ({ metadata }: Stored<ShadowPod>) => Number(metadata.resourceVersion);
const crowd = Array.from({ length: 80 }, (_, i) => `web-${i}`);

test('a pod does not wait behind those of another namespace that the provider has not taken up', async () => {
  world.provider.rests = true;
  for (const name of crowd) await world.createPod(name);
  await world.until(async () => expect(await countOf('shop-rome')).toBe(atOnce));
  await openTill();
  await world.until(async () => expect(await countOf('shop-rome')).toBe(crowd.length));
  const { items } = await world.away.admin.list(ShadowPod);
  const inOrder = items.toSorted((a, b) => version(a) - version(b));
  const position = inOrder.findIndex(({ metadata }) => metadata.name === 'till');
  expect(position).toBeLessThan(atOnce + 8);
});

test('pods of a crowd start one after the other without anybody waiting for time to pass', async () => {
  const beforeMs = world.clock.monotonicMs();
  for (const name of crowd) await world.createPod(name);
  await world.until(async () => {
    const { items } = await world.home.admin.list(Pod, { namespace: 'shop' });
    for (const { status } of items) expect(status?.phase).toBe('Running');
  });
  expect(world.clock.monotonicMs()).toBe(beforeMs);
});

describe('while home is late to tell of pods', () => {
  let late: OffloadingWorld;
  beforeEach(async () => {
    late = await startWorld();
    late.home.faults.plan = always({ eventsTakeMs: 300 });
    await late.startWorkingKubelet();
    for (const name of crowd) await late.createPod(name);
  });
  afterEach(() => late[Symbol.asyncDispose]());

  const started = async () => (await late.away.admin.list(ShadowPod)).items.length;
  const passSeconds = async (seconds: number) => {
    for (let i = 0; i < 10 * seconds; i++) await late.pass(100);
  };

  test('those of a crowd start few at a time', async () => {
    await late.until(async () => expect(await started()).toBe(atOnce));
    await passSeconds(2);
    expect(await started()).toBeGreaterThan(atOnce);
    expect(await started()).toBeLessThan(3 * atOnce);
  });

  test('those of a crowd end few at a time', async () => {
    await late.until(async () => expect(await started()).toBe(crowd.length));
    for (const name of crowd) await late.home.admin.delete(Pod, { namespace: 'shop', name });
    await late.until(async () => expect(await started()).toBeLessThan(crowd.length));
    await passSeconds(4);
    expect(await started()).toBeLessThan(crowd.length - endsAtOnce);
    expect(await started()).toBeGreaterThan(crowd.length / 2);
  });
});

describe('while a crowd ends', () => {
  const going = async () => {
    const { items } = await world.away.admin.list(ShadowPod, { namespace: 'shop-rome' });
    return items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  };

  beforeEach(async () => {
    for (const name of crowd) await world.createPod(name);
    await world.until(async () => {
      const pods = await world.away.admin.list(Pod, { namespace: 'shop-rome' });
      expect(pods.items).toHaveLength(crowd.length);
    });
    world.provider.rests = true;
    for (const name of crowd) await world.home.admin.delete(Pod, { namespace: 'shop', name });
    await world.until(async () => expect(await going()).toHaveLength(endsAtOnce));
  });

  test('a pod of another namespace does not wait behind it', async () => {
    await openTill();
    expect(await going()).toHaveLength(endsAtOnce);
    world.provider.rests = false;
    await world.until(async () => expect(await countOf('shop-rome')).toBe(0));
  });

  test('its pods end one after the other without anybody waiting for a turn to pass by itself', async () => {
    const beforeMs = world.clock.monotonicMs();
    world.provider.rests = false;
    await world.until(async () => {
      const { items } = await world.home.admin.list(Pod, { namespace: 'shop' });
      expect(items).toEqual([]);
    });
    expect(world.clock.monotonicMs() - beforeMs).toBeLessThan(1_000);
  });

  test('a provider that has not begun is given time before it is asked for more', async () => {
    await world.pass(4_000);
    expect(await going()).toHaveLength(endsAtOnce);
    await world.pass(2_000);
    expect((await going()).length).toBeGreaterThan(endsAtOnce);
  });

  test('pods that take their time hold nobody up', async () => {
    for (const { metadata } of await going()) {
      const { namespace, name } = metadata;
      await world.away.admin.delete(Pod, { namespace, name });
    }
    await world.pass(2_000);
    expect((await going()).length).toBeGreaterThan(endsAtOnce);
  });
});
