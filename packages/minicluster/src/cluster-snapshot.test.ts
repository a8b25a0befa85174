import { forgeCustomResourceDefinition, VirtualNode } from '@liqo/api';
import {
  type Client,
  ConfigMap,
  CustomResourceDefinition,
  isExpired,
  mergePatch,
  Pod,
  Service,
} from '@liqo/kube';
import { rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { type MiniclusterOptions, startMinicluster } from './start-minicluster.ts';

function start(options: Partial<MiniclusterOptions> = {}) {
  const clock = options.clock ?? new VirtualClock();
  return startMinicluster({ clock, random: seededRandom(1), listens: false, ...options });
}

const key = { namespace: 'default', name: 'one' };
const service = { metadata: key, spec: { ports: [{ port: 80 }] } };

/** A cluster with a kind of its own, a service and a token; stopped. */
async function prepare() {
  await using cluster = await start({ controllers: false });
  const { client } = cluster;

  await client.create(CustomResourceDefinition, forgeCustomResourceDefinition(VirtualNode));
  await client.create(ConfigMap, { metadata: key, data: { is: 'prepared' } });
  const { spec, metadata } = await client.create(Service, service);
  return { from: cluster.snapshot(), taken: spec?.clusterIP, version: metadata.resourceVersion };
}

function node(client: Client) {
  const spec = { clusterID: 'milan', kubeconfigSecretRef: { name: 'x' } };
  return client.create(VirtualNode, { metadata: key, spec });
}

test('a cluster that begins with a snapshot has its objects, kinds and addresses', async () => {
  const { from, taken } = await prepare();
  await using cluster = await start({ from, controllers: false });
  const { client } = cluster;
  expect((await client.get(ConfigMap, key))?.data).toEqual({ is: 'prepared' });
  expect((await node(client)).metadata.uid).toBeDefined();
  const clusterIP = taken ?? '';
  const second = { metadata: { ...key, name: 'two' }, spec: { ...service.spec, clusterIP } };
  expect(String(await rejection(client.create(Service, second)))).toContain('already allocated');
});

test('clusters that begin with the same snapshot know nothing of each other', async () => {
  const { from } = await prepare();
  await using rome = await start({ from, controllers: false });
  await using milan = await start({ from, controllers: false });
  await rome.client.patch(ConfigMap, key, mergePatch({ data: { is: 'changed' } }));
  await rome.client.delete(Service, key);
  await node(rome.client);
  expect((await milan.client.get(ConfigMap, key))?.data).toEqual({ is: 'prepared' });
  expect(await milan.client.get(Service, key)).toBeDefined();
  expect(await milan.client.get(VirtualNode, key)).toBeUndefined();
  await using again = await start({ from, controllers: false });
  expect((await again.client.get(ConfigMap, key))?.data).toEqual({ is: 'prepared' });
});

test('a cluster that begins with a snapshot has no history', async () => {
  const { from, version } = await prepare();
  await using cluster = await start({ from, controllers: false });
  const watch = cluster.client.watch(Service, { resourceVersion: String(Number(version) - 1) });
  expect(isExpired(await rejection(watch.next()))).toBe(true);
});

test('a cluster that begins with a snapshot runs pods, on its own clock', async () => {
  const first = await start({ nodes: 1 });
  const from = first.snapshot();
  await first[Symbol.asyncDispose]();
  const clock = new VirtualClock();
  await using cluster = await start({ clock, from, nodes: 1 });
  await cluster.client.create(Pod, {
    metadata: key,
    spec: { containers: [{ name: 'a', image: 'a' }] },
  });
  await clock.advance(5_000);
  expect((await cluster.client.get(Pod, key))?.status?.phase).toBe('Running');
});

test('a cluster that does not listen has no address and no kubeconfig on disk', async () => {
  await using cluster = await start({ controllers: false });
  expect(cluster.kubeconfig).toBe('');
});

test('objects of unmanaged resources do not say who manages their fields', async () => {
  await using cluster = await start({ controllers: false, unmanaged: ['configmaps'] });
  const { client } = cluster;
  await client.create(ConfigMap, { metadata: key, data: { is: 'new' } });
  const changed = await client.patch(ConfigMap, key, mergePatch({ data: { is: 'changed' } }));
  expect(changed.metadata.managedFields).toBeUndefined();
  expect((await client.create(Service, service)).metadata.managedFields).toHaveLength(1);
});
