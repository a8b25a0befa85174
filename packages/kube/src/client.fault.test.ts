import { constants } from 'node:http2';
import { systemClock } from '@liqo/runtime';
import {
  connectionTo,
  cutAfter,
  eventually,
  failAfterEffect,
  isList,
  isWrite,
  ListWatchServer,
  ObjectServer,
  refusal,
  rejection,
  startFaultServer,
} from '@liqo/testkit';
import { expect, test } from 'vitest';
import { isAlreadyExists } from './api-error.ts';
import { Client } from './client.ts';
import type { InProcessServer } from './in-process-transport.ts';
import { ConfigMap } from './kinds/core.ts';
import { HttpTransport } from './node/http-transport.ts';

const config = { metadata: { namespace: 'shop', name: 'web' }, data: { a: '1' } };
const any = () => true;

/** A client of a real server. When the test is over, nothing of it may be left. */
async function start(serve: InProcessServer) {
  const server = await startFaultServer({ serve });
  const connection = connectionTo(server.url, { authority: server.authority });
  const transport = new HttpTransport(connection, systemClock);
  const client = new Client({ transport, clock: systemClock, random: () => 0 });
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      await using _server = server;
      await client[Symbol.asyncDispose]();
      await eventually(() => expect(server.openConnections).toBe(0));
    },
  };
}

test.each([
  ['is told of a failure', failAfterEffect(500), { name: 'ApiError', code: 500 }],
  [
    'loses the answer',
    { noAnswer: 'reset', takesEffect: true },
    { name: 'TransportError', sent: true },
  ],
] as const)('create() that took effect but %s is not repeated', async (_, fault, failure) => {
  const objects = new ObjectServer(systemClock);
  await using world = await start(objects.serve);
  world.server.plan.next(isWrite, fault);
  expect(await rejection(world.client.create(ConfigMap, config))).toMatchObject(failure);
  expect(world.server.requests).toHaveLength(1);
  expect(objects.stored(ConfigMap, config.metadata)).toMatchObject(config);
  expect(isAlreadyExists(await rejection(world.client.create(ConfigMap, config)))).toBe(true);
});

test.each([
  ['was refused as a stream', { noAnswer: { stream: constants.NGHTTP2_REFUSED_STREAM } }],
  ['was turned away with a 429', refusal(429, '0')],
] as const)('create() that %s is repeated', async (_, fault) => {
  const objects = new ObjectServer(systemClock);
  await using world = await start(objects.serve);
  world.server.plan.next(isWrite, fault);
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
  const api = new ListWatchServer<ConfigMap>(ConfigMap);
  for (let n = 0; n < 5; n++) api.put({ metadata: { namespace: 'shop', name: `web-${n}` } });
  const expected = api.objects();
  await using world = await start(api.serve);
  world.server.plan.next(isList, undefined, fault);
  const pages = world.client.pages(ConfigMap, { pageSize: 2 });
  const items = [];
  for await (const page of pages) {
    api.put({ metadata: { namespace: 'shop', name: 'late' } });
    items.push(...page.items);
  }
  expect(items).toEqual(expected);
  expect(world.server.requests.length).toBeLessThanOrEqual(4);
});

test('get() is repeated on a new connection when the old one breaks', async () => {
  const objects = new ObjectServer(systemClock);
  await using world = await start(objects.serve);
  await world.client.create(ConfigMap, config);
  world.server.plan.next(any, { noAnswer: 'reset' });
  expect(await world.client.get(ConfigMap, config.metadata)).toMatchObject(config);
  expect(world.server.connectionsOpened).toBe(2);
});
