import { constants } from 'node:http2';
import { Client, ConfigMap, keyString, type ObjectOf, type Random, type Stored } from '@liqo/kube';
import { HttpTransport } from '@liqo/kube/node';
import { eventually, seededRandom, timePassesUntil, VirtualClock } from '@liqo/testkit';
import {
  connectionTo,
  createCertificateAuthority,
  cutAfter,
  type Fault,
  type FaultServer,
  isList,
  isWatch,
  ListWatchServer,
  type Relay,
  refusal,
  startFaultServer,
  startRelay,
  type WatchFault,
  watchFaults,
} from '@liqo/testkit/faults';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../log/log.ts';
import { type Informer, startInformer } from './informer.ts';

type Speaks = 'h2' | 'http/1.1';
type Config = ObjectOf<typeof ConfigMap>;

const authority = await createCertificateAuthority('fault-authority');
const certificate = await authority.issueServer('fault-server', ['127.0.0.1']);

interface InformerWorld extends AsyncDisposable {
  readonly api: ListWatchServer<Config>;
  readonly server: FaultServer;
  readonly relay: Relay;
  readonly informer: Informer<Config>;
  /** What the handlers were told, applied one after the other. */
  readonly told: Map<string, Stored<Config>>;
  /** The sentences at `warn` and above. */
  readonly complaints: string[];
  /** Time passes until the assertion holds. */
  until(assertion: () => void): Promise<void>;
  passTime(): Promise<void>;
  readonly random: Random;
}

/** An informer of a real server over real sockets. When the test is over, nothing of it may be left. */
async function startWorld(speaks: Speaks, seed = 1): Promise<InformerWorld> {
  const [clock, random] = [new VirtualClock(), seededRandom(seed)];
  const api = new ListWatchServer<Config>(ConfigMap);
  for (let n = 0; n < 8; n++) change(api, n);
  const server = await startFaultServer({ serve: api.serve, speaks, authority, certificate });
  const relay = await startRelay(server.port);
  const transport = new HttpTransport(
    connectionTo(new URL(`https://127.0.0.1:${relay.port}`), {
      authority: server.authority,
      onUnauthorized: async () => true,
    }),
    clock,
  );
  const client = new Client({ transport, clock, random });
  const complaints: string[] = [];
  const destination = { write: (line: string) => complaints.push(JSON.parse(line).msg) };
  const log = createLogger({ level: 'warn', destination, clock });
  const informer = startInformer<Config>({
    client,
    kind: ConfigMap,
    clock,
    random,
    log,
    pageSize: 3,
  });
  const told = tellInto(informer);
  return {
    api,
    server,
    relay,
    informer,
    told,
    complaints,
    random,
    passTime: () => clock.advance(250),
    until: (assertion) => timePassesUntil(clock, assertion),
    async [Symbol.asyncDispose]() {
      await using _server = server;
      await using _relay = relay;
      await informer[Symbol.asyncDispose]();
      expect(clock.pendingTimers).toBeLessThanOrEqual(1);
      await client[Symbol.asyncDispose]();
      await eventually(() => {
        const { openConnections, openRequests } = server;
        const { openWatches } = api;
        const left = { openConnections, openRequests, openWatches, timers: clock.pendingTimers };
        expect(left).toEqual({ openConnections: 0, openRequests: 0, openWatches: 0, timers: 0 });
      });
    },
  };
}

function tellInto(informer: Informer<Config>): Map<string, Stored<Config>> {
  const told = new Map<string, Stored<Config>>();
  const set = (object: Stored<Config>) => told.set(keyString(object.metadata), object);
  informer.subscribe({
    onAdd: set,
    onUpdate: (_, after) => set(after),
    onDelete: ({ metadata }) => told.delete(keyString(metadata)),
  });
  return told;
}

/** Names, values and lengths that differ, with characters of several bytes. */
function change(api: ListWatchServer<Config>, n: number): void {
  const metadata = { namespace: n % 2 ? 'shop' : 'bank', name: `object-${n % 11}` };
  const text = 'grüße, 世界 🌍 '.repeat(1 + (n % 3));
  if (n % 5 === 4) api.remove(metadata);
  else api.put({ metadata, data: { n: String(n), text } });
}

function expectEqual({ informer, api, told }: InformerWorld): void {
  const byKey = (objects: readonly Stored<Config>[]) =>
    Object.fromEntries(objects.map((object) => [keyString(object.metadata), object]));
  const expected = byKey(api.objects());
  expect(byKey(informer.list())).toEqual(expected);
  expect(Object.fromEntries(told)).toEqual(expected);
}

describe.each(['h2', 'http/1.1'] as const)('Informer over %s equals the server', (speaks) => {
  const faults = watchFaults
    .filter(({ needsHttp2 }) => speaks === 'h2' || !needsHttp2)
    .map(({ name, make, relists = false }) => [name, make, relists] as const);

  test.each(faults)('after a watch in which it %s', async (_, make, relists) => {
    await using world = await startWorld(speaks);
    world.server.script.next(isWatch, make());
    let n = 0;
    await world.until(() => {
      if (n < 20) change(world.api, n++);
      expect(world.server.script.left).toBe(0);
      expect(n).toBe(20);
      expectEqual(world);
    });
    const { lists, watches } = countOf(world);
    expect(lists).toBe(relists ? 2 : 1);
    expect(watches).toBeLessThanOrEqual(3);
    if (!relists) expect(world.complaints).toEqual([]);
  });

  test.each<[string, Fault]>([
    ['was reset', cutAfter(40, 'reset')],
    ['was closed', cutAfter(40, 'close')],
    ['ended early', cutAfter(40, 'end')],
    ['is not JSON', rewriteAll('<html>log in</html>')],
    ['was refused with 410', refusal(410)],
    ['was refused with 429', refusal(429, '1')],
    ['was refused with 503', refusal(503, '1')],
    ['was refused with 500', refusal(500)],
    ['never came', { noAnswer: 'stall' }],
  ])('after a list of which the second page %s', async (_, fault) => {
    await using world = await startWorld(speaks);
    world.server.script.next(isList, undefined, fault);
    await world.until(() => expect(world.server.script.left).toBe(0));
    for (let n = 0; n < 10; n++) change(world.api, n);
    await world.until(() => expectEqual(world));
    expect(countOf(world).lists).toBeLessThanOrEqual(2);
    expect(countOf(world).watches).toBeLessThanOrEqual(1);
  });

  test('after a connection that was open and dead', async () => {
    await using world = await startWorld(speaks);
    await world.until(() => expect(world.api.openWatches).toBe(1));
    world.relay.abandon();
    for (let n = 0; n < 10; n++) change(world.api, n);
    await world.until(() => expectEqual(world));
    expect(countOf(world)).toEqual({ lists: 1, watches: 2 });
    expect(world.complaints).toEqual([]);
  });

  test('after a server that was away for a while, and forgot what it knew', async () => {
    await using world = await startWorld(speaks);
    await world.until(() => expectEqual(world));
    world.relay.cut();
    world.relay.stall();
    for (let n = 0; n < 10; n++) change(world.api, n);
    world.api.compact();
    for (let round = 0; round < 400; round++) await world.passTime();
    world.relay.resume();
    await world.until(() => expectEqual(world));
    expect(countOf(world).lists).toBe(2);
  });
});

test.each([
  ['h2', 1_000],
  ['http/1.1', 250],
] as const)(
  'Informer over %s equals the server after %i forced reconnects while objects change, and asks no more than it must',
  async (speaks, reconnects) => {
    await using world = await startWorld(speaks, 42);
    const { server, random, api } = world;
    const planned = Array.from({ length: reconnects }, () => anyFault(random, speaks));
    server.script.next(isWatch, ...planned.map(({ make }) => make()));
    let compactions = 0;
    while (server.script.left > 0) {
      if (isAlmostUpToDate(world)) change(api, Math.floor(random() * 1_000));
      if (random() < 0.01) api.sendBookmarks();
      if (random() < 0.01) api.disconnect();
      if (random() < 0.002) {
        api.compact();
        compactions += 1;
      }
      await world.passTime();
    }
    await world.until(() => expectEqual(world));
    const { lists, watches } = countOf(world);
    const relisting = planned.filter(({ relists }) => relists).length;
    expect(lists).toBeLessThanOrEqual(1 + relisting + compactions);
    expect(watches).toBeLessThanOrEqual(reconnects + 2);
    expect(world.complaints.length).toBeLessThanOrEqual(relisting);
  },
);

/** Mostly connections that just end, now and then everything else. */
function anyFault(random: Random, speaks: Speaks): Pick<WatchFault, 'make' | 'relists'> {
  const afterBytes = 450 + Math.floor(random() * 400);
  if (random() < 0.7) return { make: () => cutAfter(afterBytes, 'end') };
  if (random() < 0.7) {
    const how = speaks === 'h2' ? { stream: constants.NGHTTP2_CANCEL } : 'close';
    return { make: () => cutAfter(afterBytes, how) };
  }
  const possible = watchFaults.filter(({ needsHttp2 }) => speaks === 'h2' || !needsHttp2);
  return possible[Math.floor(random() * possible.length)] ?? expect.unreachable();
}

/** Otherwise the reader, which is cut off all the time, never catches up with a writer that is not. */
function isAlmostUpToDate({ api, informer }: InformerWorld): boolean {
  return Number(api.resourceVersion) - Number(informer.resourceVersion) < 10;
}

function rewriteAll(text: string): Fault {
  return { answer: { status: 200, body: text } };
}

function countOf({ server }: InformerWorld): { lists: number; watches: number } {
  const pages = server.requests.filter(isList);
  const lists = pages.filter(({ path }) => !path.includes('continue=')).length;
  return { lists, watches: server.requests.filter(isWatch).length };
}
