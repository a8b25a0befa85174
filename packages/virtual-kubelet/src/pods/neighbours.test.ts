import { labels, ShadowPod } from '@liqo/api';
import { Namespace, Pod, ServiceAccount, type Stored } from '@liqo/kube';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startRunningWorld } from '../testing/offloading-world.ts';

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

/** So many pods are under way to the provider at first. */
const atOnce = 16;
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

test('a pod does not wait behind the ends of those of another namespace', async () => {
  for (const name of crowd) await world.createPod(name);
  await world.until(async () => {
    const pods = await world.away.admin.list(Pod, { namespace: 'shop-rome' });
    expect(pods.items).toHaveLength(crowd.length);
  });
  world.provider.rests = true;
  const isGoing = async () => {
    const { items } = await world.away.admin.list(ShadowPod, { namespace: 'shop-rome' });
    return items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length;
  };
  for (const name of crowd) await world.home.admin.delete(Pod, { namespace: 'shop', name });
  await world.until(async () => expect(await isGoing()).toBeGreaterThan(0));
  await openTill();
  expect(await isGoing()).toBeLessThan(crowd.length);
  world.provider.rests = false;
  await world.until(async () => expect(await countOf('shop-rome')).toBe(0));
});
