import { constants } from 'node:http2';
import { systemClock } from '@liqo/runtime';
import { eventually, rejection } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import {
  connectionTo,
  cutAfter,
  failAfterEffect,
  isList,
  isWrite,
  lostAnswer,
  lostRequest,
  refusal,
  serveOver,
  startFaultServer,
} from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { isAlreadyExists } from './api-error.ts';
import { Client } from './client.ts';
import { ConfigMap } from './kinds/core.ts';
import { HttpTransport } from './node/http-transport.ts';

const config = { metadata: { namespace: 'shop', name: 'web' }, data: { a: '1' } };
const any = () => true;

/** A client of a cluster behind a faulty server. When the test is over, nothing of it may be left. */
async function start() {
  const cluster = await startTestCluster({ namespaces: ['shop'] });
  const user = { name: 'client', groups: ['system:masters'] };
  const server = await startFaultServer({ serve: serveOver(cluster.cluster.transportFor(user)) });
  const connection = connectionTo(server.url, { authority: server.authority });
  const transport = new HttpTransport(connection, systemClock);
  const client = new Client({ transport, clock: systemClock, random: () => 0 });
  return {
    server,
    client,
    admin: cluster.admin,
    async [Symbol.asyncDispose]() {
      await using _cluster = cluster;
      await using _server = server;
      await client[Symbol.asyncDispose]();
      await eventually(() => expect(server.openConnections).toBe(0));
    },
  };
}

test.each([
  ['is told of a failure', failAfterEffect(500), { name: 'ApiError', code: 500 }],
  ['loses the answer', lostAnswer('reset'), { name: 'TransportError', sent: true }],
] as const)('create() that took effect but %s is not repeated', async (_, fault, failure) => {
  await using world = await start();
  world.server.script.next(isWrite, fault);
  expect(await rejection(world.client.create(ConfigMap, config))).toMatchObject(failure);
  expect(world.server.requests).toHaveLength(1);
  expect(await world.admin.get(ConfigMap, config.metadata)).toMatchObject(config);
  expect(isAlreadyExists(await rejection(world.client.create(ConfigMap, config)))).toBe(true);
});

const redirects = [301, 302, 303, 307, 308].flatMap((status) =>
  (['h2', 'http/1.1'] as const).map((protocol) => [status, protocol] as const),
);

test.each(redirects)(
  'get() follows no redirect (%i, %s), and sends nothing to where it leads',
  async (status, speaks) => {
    await using other = await startFaultServer({
      serve: async () => ({ status: 200, body: '{}' }),
    });
    const location = `${other.url.origin}/api/v1/namespaces/shop/configmaps/web`;
    await using server = await startFaultServer({
      speaks,
      serve: async () => ({ status, body: JSON.stringify(config), headers: { location } }),
    });
    const connection = connectionTo(server.url, { authority: server.authority });
    const transport = new HttpTransport(connection, systemClock);
    await using client = new Client({ transport, clock: systemClock, random: () => 0 });
    const error = await rejection(client.get(ConfigMap, config.metadata));
    expect(error).toMatchObject({ name: 'ApiError', code: status });
    expect(server.requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  },
);

test.each([
  ['was refused as a stream', lostRequest('refuse')],
  ['was turned away with a 429', refusal(429, '0')],
] as const)('create() that %s is repeated', async (_, fault) => {
  await using world = await start();
  world.server.script.next(isWrite, fault);
  expect(await world.client.create(ConfigMap, config)).toMatchObject(config);
  expect(world.server.requests).toHaveLength(2);
});

test.each([
  ['is reset', cutAfter(40, 'reset')],
  ['is closed', cutAfter(40, 'close')],
  ['is cancelled', cutAfter(40, { stream: constants.NGHTTP2_CANCEL })],
  ['is turned away with a 503', refusal(503, '0')],
  ['comes in small pieces', { chunkBytes: 7 }],
] as const)('list() is whole and of one version when a page of it %s', async (_, fault) => {
  await using world = await start();
  const put = (name: string) =>
    world.admin.create(ConfigMap, { metadata: { namespace: 'shop', name } });
  for (let n = 0; n < 5; n++) await put(`web-${n}`);
  const expected = (await world.admin.list(ConfigMap)).items;
  world.server.script.next(isList, undefined, fault);
  const pages = world.client.pages(ConfigMap, { pageSize: 2 });
  const items = [];
  for await (const page of pages) {
    items.push(...page.items);
    await put(`late-${items.length}`);
  }
  expect(items).toEqual(expected);
  expect(world.server.requests.length).toBeLessThanOrEqual(4);
});

test('get() is repeated on a new connection when the old one breaks', async () => {
  await using world = await start();
  await world.client.create(ConfigMap, config);
  world.server.script.next(any, lostRequest('reset'));
  expect(await world.client.get(ConfigMap, config.metadata)).toMatchObject(config);
  expect(world.server.connectionsOpened).toBe(2);
});
