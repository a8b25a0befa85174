import { eventually, seededRandom, timePassesUntil, VirtualClock } from '@liqo/testkit';
import {
  connectionTo,
  createCertificateAuthority,
  cutAfter,
  dropBookmarks,
  type Fault,
  type FaultServer,
  isWatch,
  ListWatchServer,
  type Relay,
  startFaultServer,
  startRelay,
  watchFaults,
} from '@liqo/testkit/faults';
import { describe, expect, test } from 'vitest';
import { Client } from './client.ts';
import { ConfigMap } from './kinds/core.ts';
import { HttpTransport } from './node/http-transport.ts';
import { keyString, type Stored } from './object.ts';
import type { WatchEvent } from './watch.ts';

type Speaks = 'h2' | 'http/1.1';

const authority = await createCertificateAuthority('fault-authority');
const certificate = await authority.issueServer('fault-server', ['127.0.0.1']);

/** A copy of a collection, made as simply as can be: list, watch, and list again when the watch gives up. */
class Copy {
  readonly objects = new Map<string, Stored<ConfigMap>>();
  lists = 0;

  async follow(client: Client, signal: AbortSignal): Promise<void> {
    const namespace = 'shop';
    while (!signal.aborted) {
      const { items, resourceVersion } = await client.list(ConfigMap, { namespace, signal });
      this.lists += 1;
      this.objects.clear();
      for (const item of items) this.objects.set(keyString(item.metadata), item);
      try {
        const watch = client.watch(ConfigMap, { namespace, resourceVersion }, signal);
        for await (const event of watch) this.#apply(event);
      } catch {
        // Whatever it was, a list tells.
      }
    }
  }

  #apply(event: WatchEvent<ConfigMap>): void {
    if (event.type === 'BOOKMARK') return;
    const key = keyString(event.object.metadata);
    if (event.type === 'DELETED') this.objects.delete(key);
    else this.objects.set(key, event.object);
  }
}

interface FollowedWorld extends AsyncDisposable {
  readonly api: ListWatchServer<ConfigMap>;
  readonly server: FaultServer;
  readonly relay: Relay;
  readonly copy: Copy;
  /** Time passes until the assertion holds. */
  until(assertion: () => void): Promise<void>;
}

/**
 * Somebody follows a collection over the network, and these things happen to the first watches, in this order. When the
 * test is over, nothing of it may be left.
 */
async function startFollowing(speaks: Speaks, ...faults: Fault[]): Promise<FollowedWorld> {
  const clock = new VirtualClock();
  const api = new ListWatchServer<ConfigMap>(ConfigMap);
  for (let n = 0; n < 5; n++) change(api, n);
  const server = await startFaultServer({ serve: api.serve, speaks, authority, certificate });
  server.script.next(isWatch, ...faults);
  const relay = await startRelay(server.port);
  const client = clientThrough(relay, clock);
  const copy = new Copy();
  const controller = new AbortController();
  const following = copy.follow(client, controller.signal);
  return {
    api,
    server,
    relay,
    copy,
    until: (assertion) => timePassesUntil(clock, assertion),
    async [Symbol.asyncDispose]() {
      await using _server = server;
      await using _relay = relay;
      controller.abort();
      await Promise.allSettled([following]);
      await client[Symbol.asyncDispose]();
      await eventually(() => {
        const { openConnections, openRequests } = server;
        const left = { openConnections, openRequests, timers: clock.pendingTimers };
        expect(left).toEqual({ openConnections: 0, openRequests: 0, timers: 0 });
        expect(api.openWatches).toBe(0);
      });
    },
  };
}

function clientThrough({ port }: Relay, clock: VirtualClock): Client {
  const connection = connectionTo(new URL(`https://127.0.0.1:${port}`), {
    authority: authority.certificate,
    onUnauthorized: async () => true,
  });
  const transport = new HttpTransport(connection, clock);
  return new Client({ transport, clock, random: seededRandom(1) });
}

/** Names, values and lengths that differ, with characters of several bytes. */
function change(api: ListWatchServer<ConfigMap>, n: number, namespace = 'shop'): void {
  const metadata = { namespace, name: `object-${n % 7}` };
  const text = 'grüße, 世界 🌍 '.repeat(1 + (n % 3));
  if (n % 5 === 4) api.remove(metadata);
  else api.put({ metadata, data: { n: String(n), text } });
}

function expectEqual({ copy, api }: FollowedWorld): void {
  const shown = api.objects().filter(({ metadata }) => metadata.namespace === 'shop');
  const expected = shown.map((object) => [keyString(object.metadata), object]);
  expect(Object.fromEntries(copy.objects)).toEqual(Object.fromEntries(expected));
}

describe.each(['h2', 'http/1.1'] as const)('watch() over %s', (speaks) => {
  const faults = (thatRelist: boolean) =>
    watchFaults
      .filter(({ needsHttp2 }) => speaks === 'h2' || !needsHttp2)
      .filter(({ relists = false }) => relists === thatRelist)
      .map(({ name, make }) => [name, make] as const);

  test.each(faults(false))('misses nothing when the server %s', async (_, make) => {
    await using world = await startFollowing(speaks, make());
    for (let n = 0; n < 6; n++) change(world.api, n);
    await world.until(() => expect(world.server.script.left).toBe(0));
    for (let n = 6; n < 12; n++) change(world.api, n);
    await world.until(() => expectEqual(world));
    expect(world.copy.lists).toBe(1);
    expect(world.server.requests.length).toBeLessThanOrEqual(4);
  });

  test.each(faults(true))('asks for a new list when the server %s', async (_, make) => {
    await using world = await startFollowing(speaks, make());
    let n = 0;
    await world.until(() => {
      change(world.api, n++);
      expect(world.copy.lists).toBe(2);
    });
    await world.until(() => expectEqual(world));
    expect(world.server.requests.length).toBeLessThanOrEqual(4);
  });

  test('misses nothing wherever a line is cut off', async () => {
    const faults = Array.from({ length: 40 }, (_, n) => cutAfter(350 + n, 'end'));
    await using world = await startFollowing(speaks, ...faults);
    let n = 0;
    await world.until(() => {
      change(world.api, n++);
      expect(world.server.script.left).toBe(0);
    });
    await world.until(() => expectEqual(world));
    expect(world.copy.lists).toBe(1);
    expect(world.server.requests.length).toBeLessThanOrEqual(42);
  });

  test('notices a stream that is open and dead by its silence', async () => {
    await using world = await startFollowing(speaks, cutAfter(300, 'stall'));
    for (let n = 0; n < 6; n++) change(world.api, n);
    await world.until(() => expect(world.server.script.left).toBe(0));
    for (let n = 6; n < 12; n++) change(world.api, n);
    await world.until(() => expectEqual(world));
    expect(world.copy.lists).toBe(1);
  });

  test('notices a connection that is open and dead', async () => {
    await using world = await startFollowing(speaks);
    await world.until(() => expect(world.api.openWatches).toBe(1));
    world.relay.abandon();
    for (let n = 0; n < 6; n++) change(world.api, n);
    await world.until(() => expectEqual(world));
    expect(world.copy.lists).toBe(1);
  });

  test('waits for headers that come late', async () => {
    let send = () => {};
    const holdHeaders = new Promise<void>((resolve) => {
      send = resolve;
    });
    await using world = await startFollowing(speaks, { holdHeaders });
    await world.until(() => expect(world.server.script.left).toBe(0));
    for (let n = 0; n < 6; n++) change(world.api, n);
    send();
    await world.until(() => expectEqual(world));
    expect(world.server.requests).toHaveLength(2);
  });

  test('goes on after a compaction from the newest version', async () => {
    await using world = await startFollowing(speaks);
    for (let n = 0; n < 6; n++) change(world.api, n);
    await world.until(() => expectEqual(world));
    world.api.compact();
    world.api.disconnect();
    change(world.api, 8);
    await world.until(() => expectEqual(world));
    expect(world.copy.lists).toBe(1);
  });

  test('asks for a new list when what it missed was compacted away', async () => {
    await using world = await startFollowing(speaks);
    await world.until(() => expect(world.api.openWatches).toBe(1));
    world.api.disconnect();
    for (let n = 0; n < 6; n++) change(world.api, n);
    world.api.compact();
    await world.until(() => expectEqual(world));
    expect(world.copy.lists).toBe(2);
  });

  test.each([
    ['keeps its place thanks to bookmarks', [], 1],
    ['asks for a new list without them', [dropBookmarks()], 2],
  ])('%s while only others change', async (_, faults, lists) => {
    await using world = await startFollowing(speaks, ...faults);
    await world.until(() => expect(world.api.openWatches).toBe(1));
    for (let n = 0; n < 8; n++) change(world.api, n, 'bank');
    world.api.sendBookmarks();
    world.api.compact();
    world.api.disconnect();
    change(world.api, 0);
    await world.until(() => expectEqual(world));
    expect(world.copy.lists).toBe(lists);
  });
});
