import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Node, Pod } from '@liqo/kube';
import { systemClock, systemRandom } from '@liqo/runtime';
import { chooseFreePort, eventually, rejection } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProgramContext } from '../node/containers/image-registry.ts';
import { type Minicluster, startMinicluster } from '../start-minicluster.ts';

/** A site on the port that its first argument names. */
async function serveSite({ args, signal }: ProgramContext): Promise<number> {
  const server = createServer(({ url, headers }, response) => {
    response.end(`asked for ${url} of ${headers.host}`);
  });
  server.on('upgrade', ({ url, headers }, socket) => {
    const head = `Connection: Upgrade\r\nUpgrade: ${headers.upgrade}`;
    socket.end(`HTTP/1.1 101 Switching Protocols\r\n${head}\r\n\r\n${url} for two`);
  });
  server.listen(Number(args[0]), '127.0.0.1');
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  server.closeAllConnections();
  server.close();
  return 0;
}

describe('proxies of a minicluster with a node', () => {
  const key = { namespace: 'default', name: 'site' };
  const path = '/api/v1/namespaces/default/pods/site/proxy';
  let cluster: Minicluster;
  let port = 0;

  beforeAll(async () => {
    cluster = await startMinicluster({ clock: systemClock, random: systemRandom });
    const images = new Map([['site', serveSite]]);
    await cluster.startNode({ name: 'worker', podCidr: '10.244.7.0/24', images });
    port = await chooseFreePort('127.0.0.1');
    const ports = [{ containerPort: port }];
    const containers = [{ name: 'main', image: 'site', args: [String(port)], ports }];
    const spec = { containers, automountServiceAccountToken: false };
    await cluster.client.create(Pod, { metadata: key, spec });
    await eventually(async () => {
      expect((await cluster.client.get(Pod, key))?.status?.phase).toBe('Running');
    });
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  test('a pod is reached though its address is on paper only', async () => {
    const pod = await cluster.client.get(Pod, key);
    expect(pod?.status?.podIP).toMatch(/^10\.244\.7\./);
    const response = await cluster.client.raw({ method: 'GET', path: `${path}/a?b=c` });
    expect(await response.text()).toMatch(/^asked for \/a\?b=c of /);
  });

  test('a pod may switch protocols', async () => {
    await using transport = cluster.transportFor({ name: 'admin', groups: ['system:masters'] });
    const headers = { connection: 'Upgrade', upgrade: 'tea' };
    const switched = await transport.upgrade({ method: 'GET', path: `${path}/leaves`, headers });
    expect(switched).toMatchObject({ status: 101, headers: { upgrade: 'tea' } });
    if (!('stream' in switched)) throw new Error('Cannot talk: nothing was switched');
    expect(await text(switched.stream)).toBe('/leaves for two');
  });

  test('a node that has the address of a pod is reached where that pod listens', async () => {
    const pod = await cluster.client.get(Pod, key);
    const address = pod?.status?.podIP ?? '';
    const node = await cluster.client.create(Node, { metadata: { name: 'in-a-pod' } });
    const status = { addresses: [{ type: 'InternalIP', address }] };
    await cluster.client.updateStatus(Node, { ...node, status });
    const site = `/api/v1/nodes/in-a-pod:${port}/proxy/a`;
    const response = await cluster.client.raw({ method: 'GET', path: site });
    expect(await response.text()).toMatch(/^asked for \/a of /);
  });

  test('a kubelet is reached, by whoever may', async () => {
    const request = { method: 'GET', path: '/api/v1/nodes/worker/proxy/stats/summary' };
    const response = await cluster.client.raw(request);
    expect(JSON.parse(await response.text())).toMatchObject({ node: { nodeName: 'worker' } });
    const eve = cluster.clientFor({ name: 'eve', groups: [] });
    expect(await rejection(eve.raw(request))).toMatchObject({
      code: 403,
      message:
        'nodes "worker" is forbidden: User "eve" cannot get resource "nodes/proxy" in API group "" at the cluster scope',
    });
  });
});
