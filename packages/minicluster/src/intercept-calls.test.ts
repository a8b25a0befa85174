import { Client, ConfigMap, Node } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import type { CallInterceptor } from './intercept-calls.ts';
import { startMinicluster } from './start-minicluster.ts';

const key = { namespace: 'default', name: 'web' };
const alice = { name: 'alice', groups: ['system:masters'] };

function start(
  intercept: CallInterceptor,
  options: { nodes?: number; controllers?: boolean } = {},
) {
  const clock = new VirtualClock({ startMs: systemClock.now() });
  return startMinicluster({
    clock,
    random: seededRandom(1),
    controllers: false,
    ...options,
    intercept,
  });
}

test('An interceptor sees the calls of everybody, the cluster itself included', async () => {
  const users = new Set<string>();
  const note: CallInterceptor = ({ user, request, signal }, handle) => {
    users.add(user);
    return handle(request, signal);
  };
  await using cluster = await start(note, { nodes: 1, controllers: true });
  await cluster.clientFor(alice).list(Node);
  expect([...users]).toEqual(
    expect.arrayContaining([
      'kubernetes-admin',
      'system:kube-controller-manager',
      'system:kube-scheduler',
      'system:node:minicluster-1',
      'alice',
    ]),
  );
});

test('An interceptor sees calls over the network, and whose they are', async () => {
  const seen: string[] = [];
  await using cluster = await start(({ user, request, signal }, handle) => {
    seen.push(`${user} ${request.method} ${request.path.split('?')[0]}`);
    return handle(request, signal);
  });
  const config = parseKubeconfig(cluster.kubeconfigFor(alice), 'kubeconfig');
  await using client = await connectKubeconfig(config, {
    clock: systemClock,
    random: systemRandom,
  });
  await client.create(ConfigMap, { metadata: key });
  expect(await client.get(ConfigMap, key)).toMatchObject({ metadata: key });
  expect(seen.slice(-2)).toEqual([
    'alice POST /api/v1/namespaces/default/configmaps',
    'alice GET /api/v1/namespaces/default/configmaps/web',
  ]);
});

test('An interceptor that throws costs the caller its connection, in the process and over the network', async () => {
  await using cluster = await start(({ user, request, signal }, handle) => {
    if (user === 'alice') throw new Error('the line is dead');
    return handle(request, signal);
  });
  const near = cluster.clientFor(alice).create(ConfigMap, { metadata: key });
  const lost = { name: 'TransportError', sent: true };
  expect(await rejection(near)).toMatchObject(lost);
  const config = parseKubeconfig(cluster.kubeconfigFor(alice), 'kubeconfig');
  await using far = await connectKubeconfig(config, { clock: systemClock, random: systemRandom });
  expect(await rejection(far.create(ConfigMap, { metadata: key }))).toMatchObject(lost);
  expect(await cluster.client.get(ConfigMap, key)).toBeUndefined();
});

test('An interceptor is not asked about callers whom nobody knows', async () => {
  const users: string[] = [];
  await using cluster = await start(({ user, request, signal }, handle) => {
    users.push(user);
    return handle(request, signal);
  });
  users.length = 0;
  const config = parseKubeconfig(cluster.kubeconfigText, 'kubeconfig');
  const [user] = config.users ?? [];
  const forged = { ...config, users: [{ name: user?.name ?? '', user: { token: 'forged' } }] };
  await using client = await connectKubeconfig(forged, {
    clock: systemClock,
    random: systemRandom,
  });
  expect(await rejection(client.list(ConfigMap))).toMatchObject({ code: 401 });
  expect(users).toEqual([]);
});

test('transportFor() speaks for a user to a client with a clock of its own', async () => {
  await using cluster = await start(({ request, signal }, handle) => handle(request, signal));
  const transport = cluster.transportFor(alice);
  await using client = new Client({ transport, clock: systemClock, random: systemRandom });
  await client.create(ConfigMap, { metadata: key });
  expect(await cluster.client.get(ConfigMap, key)).toMatchObject({ metadata: key });
});
