import { Client, ConfigMap, InProcessTransport, type WatchEvent } from '@liqo/kube';
import { expect, test } from 'vitest';
import { ListWatchServer } from './list-watch-server.ts';
import { rejection } from './rejection.ts';
import { seededRandom } from './seeded-random.ts';
import { VirtualClock } from './virtual-clock.ts';

function start() {
  const clock = new VirtualClock();
  const server = new ListWatchServer(ConfigMap);
  const transport = new InProcessTransport(server.serve);
  return { clock, server, client: new Client({ transport, clock, random: seededRandom(1) }) };
}

function config(namespace: string, name: string, value = '') {
  return { metadata: { namespace, name }, data: { value } };
}

/** The next so many events after a version, as words. */
async function events(client: Client, resourceVersion: string, count: number, namespace?: string) {
  const heard: string[] = [];
  for await (const event of client.watch(ConfigMap, { resourceVersion, namespace })) {
    heard.push(describe(event));
    if (heard.length === count) break;
  }
  return heard;
}

function describe(event: WatchEvent<object>): string {
  if (event.type === 'BOOKMARK') return `BOOKMARK ${event.resourceVersion}`;
  return `${event.type} ${event.object.metadata.name} ${event.object.metadata.resourceVersion}`;
}

test('ListWatchServer lists in pages that are all of the version of the first', async () => {
  const { client, server } = start();
  for (const name of ['a', 'b', 'c', 'd', 'e']) server.put(config('shop', name));
  const listed: string[][] = [];
  const versions: string[] = [];
  for await (const page of client.pages(ConfigMap, { pageSize: 2 })) {
    listed.push(page.items.map((item) => `${item.metadata.name}=${item.data?.value}`));
    versions.push(page.resourceVersion);
    server.put(config('shop', 'd', 'new'));
    server.remove({ namespace: 'shop', name: 'e' });
    server.put(config('shop', 'f'));
  }
  expect(listed).toEqual([['a=', 'b='], ['c=', 'd='], ['e=']]);
  expect(new Set(versions)).toEqual(new Set(['6']));
});

test('ListWatchServer answers 410 for pages and versions that were compacted away', async () => {
  const { client, server } = start();
  for (const name of ['a', 'b', 'c']) server.put(config('shop', name));
  const pages = client.pages(ConfigMap, { pageSize: 2 });
  await pages.next();
  server.put(config('shop', 'd'));
  server.compact();
  expect(await rejection(pages.next())).toMatchObject({ code: 410 });
  expect(await rejection(events(client, '2', 1))).toMatchObject({ code: 410 });
});

test('ListWatchServer sends what happened since a version, then what happens, in the namespace asked for', async () => {
  const { clock, client, server } = start();
  server.put(config('shop', 'a'));
  server.put(config('shop', 'b'));
  server.put(config('shop', 'b', 'new'));
  const heard = events(client, '2', 4, 'shop');
  await clock.settle();
  expect(server.openWatches).toBe(1);
  server.put(config('bank', 'c'));
  server.remove({ namespace: 'shop', name: 'a' });
  server.sendBookmarks();
  expect(await heard).toEqual(['ADDED b 3', 'MODIFIED b 4', 'DELETED a 6', 'BOOKMARK 6']);
  expect(server.openWatches).toBe(0);
});

test('ListWatchServer loses nothing when it ends or breaks watches', async () => {
  const { clock, client, server } = start();
  const heard = events(client, '1', 3);
  await clock.settle();
  server.put(config('shop', 'a'));
  server.disconnect();
  server.put(config('shop', 'b'));
  await clock.advance(1000);
  server.breakConnections();
  server.put(config('shop', 'c'));
  await clock.advance(1000);
  expect(await heard).toEqual(['ADDED a 2', 'ADDED b 3', 'ADDED c 4']);
});

test('ListWatchServer can say in the stream that a version is too old', async () => {
  const { clock, client, server } = start();
  const failed = rejection(events(client, '1', 1));
  await clock.settle();
  server.expireWatches();
  expect(await failed).toMatchObject({ code: 410, reason: 'Expired' });
});

test('ListWatchServer gives an object its identity, and a new one to its successor', async () => {
  const { client, server } = start();
  const first = server.put(config('shop', 'a'));
  expect(server.put(config('shop', 'a', 'new')).metadata.uid).toBe(first.metadata.uid);
  const key = { namespace: 'shop', name: 'a' };
  expect(server.remove(key)).toBe(true);
  expect(server.remove(key)).toBe(false);
  expect(await client.get(ConfigMap, key)).toBeUndefined();
  const successor = server.put(config('shop', 'a'));
  expect(successor.metadata.uid).not.toBe(first.metadata.uid);
  expect(await client.get(ConfigMap, key)).toEqual(successor);
});
