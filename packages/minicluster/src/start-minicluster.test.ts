import { existsSync } from 'node:fs';
import { ConfigMap, Deployment, Event, Node, Pod, Service } from '@liqo/kube';
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

test('startMinicluster() serves no other built-in resources than it is told', async () => {
  const serves = ['configmaps', 'customresourcedefinitions', 'leases', 'namespaces', 'nodes'];
  const others = ['clusterroles', 'pods', 'priorityclasses', 'serviceaccounts'];
  const unserved = 'could not find the requested resource';
  const errors: string[] = [];
  await using cluster = await startMinicluster({
    ...surroundings,
    nodes: 1,
    serves: [...serves, ...others],
    intercept: async ({ request, signal }, handle) => {
      const answer = await handle(request, signal);
      if (String(answer.body).includes(unserved)) errors.push(request.path);
      return answer;
    },
  });
  expect((await cluster.client.list(Node)).items).toHaveLength(1);
  expect(errors).toEqual([]);
  expect(String(await rejection(cluster.client.list(Service)))).toContain(unserved);
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

test('startMinicluster() does the same with parts that read within, and nobody sees them watch', async () => {
  const clock = new VirtualClock();
  const watchers = new Set<string>();
  const cluster = await startMinicluster({
    clock,
    random: seededRandom(1),
    nodes: 1,
    readsWithin: true,
    intercept: ({ user, request, signal }, handle) => {
      if (request.path.includes('watch=')) watchers.add(user);
      return handle(request, signal);
    },
  });
  const metadata = { namespace: 'default', name: 'web' };
  const containers = [{ name: 'main', image: 'example.org/web' }];
  await cluster.client.create(Pod, { metadata, spec: { containers } });
  await clock.advance(60_000);
  cluster.forgetHistory();
  expect((await cluster.client.get(Pod, metadata))?.status?.phase).toBe('Running');
  await cluster.client.delete(Pod, metadata);
  await clock.advance(60_000);
  expect(await cluster.client.get(Pod, metadata)).toBeUndefined();
  expect([...watchers]).toEqual([]);
  await cluster[Symbol.asyncDispose]();
  expect(clock.pendingTimers).toBe(0);
});

test.each([
  { silent: false, tellers: ['default-scheduler', 'deployment-controller', 'kubelet'] },
  { silent: true, tellers: [] },
])('startMinicluster() runs pods and tells of it, unless it is silent: $silent', async (world) => {
  const { silent, tellers } = world;
  const clock = new VirtualClock();
  const options = { clock, random: seededRandom(1), nodes: 1, listens: false, silent };
  await using cluster = await startMinicluster(options);
  const { client } = cluster;
  const labels = { app: 'web' };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'main', image: 'example.org/web' }] },
  };
  const spec = { selector: { matchLabels: labels }, template };
  await client.create(Deployment, { metadata: { namespace: 'default', name: 'web' }, spec });
  await clock.advance(60_000);
  const pods = await client.list(Pod, { namespace: 'default' });
  expect(pods.items.map(({ status }) => status?.phase)).toEqual(['Running']);
  const { items } = await client.list(Event, { namespace: 'default' });
  const heard = new Set(items.map((event) => event.reportingController));
  expect([...heard]).toEqual(expect.arrayContaining(tellers));
  expect(heard.size > 0).toBe(!silent);
});

test('startMinicluster() forgets events an hour after they were last written', async () => {
  const clock = new VirtualClock();
  const options = { clock, random: seededRandom(1), controllers: false };
  await using cluster = await startMinicluster(options);
  const { client } = cluster;
  const regarding = { kind: 'Pod', namespace: 'default', name: 'web' };
  const said = { action: 'Rest', reason: 'Rests', type: 'Normal', reportingController: 'tester' };
  const about = {
    ...said,
    regarding,
    reportingInstance: 'one',
    eventTime: '2030-01-01T00:00:00.000000Z',
  };
  const make = (name: string) =>
    client.create(Event, { metadata: { namespace: 'default', name }, ...about });
  const seen: string[] = [];
  const { resourceVersion } = await client.list(Event);
  const watching = (async () => {
    for await (const event of client.watch(Event, { resourceVersion }))
      if (event.type !== 'BOOKMARK') seen.push(`${event.type} ${event.object.metadata.name}`);
  })().catch(() => undefined);
  await make('a');
  const b = await make('b');
  await clock.advance(30 * 60_000);
  const series = { count: 2, lastObservedTime: '2030-01-01T00:30:00.000000Z' };
  await client.update(Event, { ...b, series });
  await clock.advance(31 * 60_000);
  expect(seen).toEqual(['ADDED a', 'ADDED b', 'MODIFIED b', 'DELETED a']);
  expect((await client.list(Event)).items.map(({ metadata }) => metadata.name)).toEqual(['b']);
  await cluster[Symbol.asyncDispose]();
  await watching;
});
