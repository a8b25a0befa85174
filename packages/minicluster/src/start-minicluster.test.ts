import { existsSync } from 'node:fs';
import { ConfigMap, Node, Pod } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually, rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { startMinicluster } from './start-minicluster.ts';

const surroundings = { clock: systemClock, random: systemRandom };

test('startMinicluster() runs clusters side by side that know nothing of each other', async () => {
  await using rome = await startMinicluster({ ...surroundings, name: 'rome', nodes: 1 });
  await using milan = await startMinicluster({ ...surroundings, name: 'milan', nodes: 1 });
  const nodesOf = async ({ client }: typeof rome) =>
    (await client.list(Node)).items.map((node) => node.metadata.name);
  expect(await nodesOf(rome)).toEqual(['rome-1']);
  expect(await nodesOf(milan)).toEqual(['milan-1']);
  await rome.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'one' } });
  expect(await milan.client.get(ConfigMap, { namespace: 'default', name: 'one' })).toBeUndefined();
});

test('startMinicluster() gives a kubeconfig that works over the network', async () => {
  await using cluster = await startMinicluster(surroundings);
  const config = parseKubeconfig(cluster.kubeconfigText, cluster.kubeconfig);
  await using client = await connectKubeconfig(config, surroundings);
  const { items } = await client.list(ConfigMap, { namespace: 'default' });
  expect(items.map((item) => item.metadata.name)).toEqual(['kube-root-ca.crt']);
});

test('startMinicluster() leaves nothing behind when it is disposed', async () => {
  const cluster = await startMinicluster({ ...surroundings, nodes: 1 });
  const { kubeconfig, kubeconfigText } = cluster;
  const config = parseKubeconfig(kubeconfigText, kubeconfig);
  await cluster[Symbol.asyncDispose]();
  expect(existsSync(kubeconfig)).toBe(false);
  await using client = await connectKubeconfig(config, { ...surroundings, timeoutMs: 500 });
  expect(String(await rejection(client.list(Pod)))).toMatch(/Cannot reach|no answer/);
});

test('startMinicluster() runs on a clock that only a test moves', async () => {
  const clock = new VirtualClock();
  const cluster = await startMinicluster({ clock, random: seededRandom(1), nodes: 1 });
  const metadata = { namespace: 'default', name: 'web' };
  const annotations = { 'minicluster.liqo-ts.dev/start-delay': '10m' };
  const containers = [{ name: 'main', image: 'example.org/web' }];
  await cluster.client.create(Pod, {
    metadata: { ...metadata, annotations },
    spec: { containers },
  });
  const phase = async () => (await cluster.client.get(Pod, metadata))?.status?.phase;
  await clock.advance(9 * 60_000);
  expect(await phase()).toBe('Pending');
  await clock.advance(2 * 60_000);
  await eventually(async () => expect(await phase()).toBe('Running'));
  await cluster[Symbol.asyncDispose]();
  expect(clock.pendingTimers).toBe(0);
});
