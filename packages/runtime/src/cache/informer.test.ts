import { Client, deadline } from '@liqo/kube';
import { rejection, timePassesUntil } from '@liqo/testkit';
import { type ApiCall, isList, isWatch, lostRequest, refusal } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { ListWatchWorld, listen, describe as show } from '../testing/list-watch-world.ts';

const web = { namespace: 'shop', name: 'web' };

test('Informer holds what the server has, page by page, and then every change', async () => {
  const world = new ListWatchWorld();
  for (const name of ['a', 'b', 'c', 'd', 'e']) world.put(`shop/${name}`, '1');
  await using informer = world.startInformer({ pageSize: 2 });
  await informer.synced();
  expect(informer.list().map(show)).toHaveLength(5);
  world.put('shop/a', '2');
  world.put('bank/f', '1');
  world.remove('shop/b');
  await world.clock.settle();
  expect(informer.list('shop').map(show).sort()).toEqual([
    ...['shop/a=2', 'shop/c=1', 'shop/d=1', 'shop/e=1'],
  ]);
  expect(informer.list('bank').map(show)).toEqual(['bank/f=1']);
  expect(informer.get({ namespace: 'shop', name: 'b' })).toBeUndefined();
  expect(world.asked).toEqual({ lists: 1, watches: 1 });
});

test('Informer tells of adds, of updates with the object before, and of deletes', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web', '1');
  await using informer = world.startInformer();
  const heard = listen(informer);
  await world.clock.settle();
  world.put('shop/web', '2');
  world.put('shop/db', '1');
  world.remove('shop/web');
  await world.clock.settle();
  expect(heard).toEqual([
    'add shop/web=1 (initial)',
    'update shop/web=1 to shop/web=2',
    'add shop/db=1',
    'delete shop/web=2',
  ]);
});

test('Informer shows its handlers the whole of a list from the first of its objects on', async () => {
  const world = new ListWatchWorld();
  for (const name of ['a', 'b', 'c']) world.put(`shop/${name}`);
  await using informer = world.startInformer({ pageSize: 1 });
  const sizes: number[] = [];
  const note = () => sizes.push(informer.list().length);
  informer.subscribe({ onAdd: note, onDelete: note });
  await world.clock.settle();
  expect(sizes).toEqual([3, 3, 3]);
  world.server.expireWatches();
  for (const name of ['a', 'b', 'c']) world.remove(`shop/${name}`);
  await world.clock.settle();
  expect(sizes).toEqual([3, 3, 3, 0, 0, 0]);
});

test('Informer tells of a change once, however often the server repeats it', async () => {
  const world = new ListWatchWorld();
  await using informer = await world.startWatching();
  const heard = listen(informer);
  const object = world.put('shop/web', '1');
  world.server.sendLine(JSON.stringify({ type: 'MODIFIED', object }));
  world.remove('shop/web');
  world.server.sendLine(JSON.stringify({ type: 'DELETED', object }));
  await world.clock.settle();
  expect(heard).toEqual(['add shop/web=1', 'delete shop/web=1']);
});

test('Informer tells handlers that come late of what is there, and those that left of nothing', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web', '1');
  await using informer = await world.startWatching();
  const heard = listen(informer);
  const leaver: string[] = [];
  const subscription = informer.subscribe({ onAdd: (object) => leaver.push(show(object)) });
  subscription[Symbol.dispose]();
  world.put('shop/db', '1');
  await world.clock.settle();
  expect(heard).toEqual(['add shop/web=1 (initial)', 'add shop/db=1']);
  expect(leaver).toEqual(['shop/web=1']);
});

test('Informer finds objects by index', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web', 'red');
  world.put('bank/web', 'red');
  await using informer = await world.startWatching({
    indexes: { colour: (object) => [object.data?.value ?? ''] },
  });
  expect(informer.byIndex('colour', 'red')).toHaveLength(2);
  world.put('shop/web', 'blue');
  await world.clock.settle();
  expect(informer.byIndex('colour', 'red').map(show)).toEqual(['bank/web=red']);
  expect(informer.byIndex('colour', 'blue').map(show)).toEqual(['shop/web=blue']);
});

test('Informer refuses to be read before it has seen a complete list', async () => {
  const world = new ListWatchWorld();
  world.script.next(isList, refusal(403));
  await using informer = world.startInformer();
  await world.clock.settle();
  expect(informer.hasSynced).toBe(false);
  expect(() => informer.get(web)).toThrow(
    'Cannot read ConfigMap objects from the cache: it has not synced yet',
  );
  expect(() => informer.list()).toThrow(/has not synced/);
});

test('Informer drops managedFields and keeps everything else', async () => {
  const world = new ListWatchWorld();
  const managedFields = [{ manager: 'kubectl' }];
  const stored = world.put('shop/web', '1', { managedFields, labels: { app: 'web' } });
  await using informer = await world.startWatching();
  const { managedFields: _, ...metadata } = stored.metadata;
  expect(informer.get(web)).toStrictEqual({ ...stored, metadata });
  world.put('shop/web', '2', { managedFields });
  await world.clock.settle();
  expect(informer.get(web)?.metadata).not.toHaveProperty('managedFields');
});

test('Informer keeps what the transform makes of an object, and leaves out what it leaves out', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web', 'secret');
  world.put('shop/db', '1');
  await using informer = await world.startWatching({
    transform: (object) =>
      object.data?.value === 'secret' ? undefined : { ...object, data: { value: 'slim' } },
  });
  const heard = listen(informer);
  world.put('shop/db', 'secret');
  world.put('shop/web', '2');
  await world.clock.settle();
  expect(heard).toEqual(['add shop/db=slim (initial)', 'delete shop/db=slim', 'add shop/web=slim']);
  world.server.expireWatches();
  await world.clock.settle();
  expect(heard).toHaveLength(3);
});

test('Informer stays readable while the server is away and tells afterwards what it missed', async () => {
  const world = new ListWatchWorld();
  for (const name of ['same', 'changed', 'gone', 'remade']) world.put(`shop/${name}`, '1');
  await using informer = await world.startWatching();
  const heard = listen(informer);
  const same = informer.get({ namespace: 'shop', name: 'same' });
  heard.length = 0;
  world.script.next(isList, refusal(500), refusal(500), refusal(500));
  world.server.expireWatches();
  world.put('shop/changed', '2');
  world.remove('shop/gone');
  world.remove('shop/remade');
  world.put('shop/remade', '2');
  world.put('shop/new', '2');
  await world.clock.settle();
  expect(informer.list()).toHaveLength(4);
  await world.clock.advance(60_000);
  expect(heard.toSorted()).toEqual([
    'add shop/new=2',
    'add shop/remade=2',
    'delete shop/gone=1',
    'delete shop/remade=1',
    'update shop/changed=1 to shop/changed=2',
  ]);
  expect(heard.indexOf('delete shop/remade=1')).toBeLessThan(heard.indexOf('add shop/remade=2'));
  expect(informer.get({ namespace: 'shop', name: 'same' })).toBe(same);
});

test('Informer resumes a watch that ended, however it ended, without listing anew', async () => {
  const world = new ListWatchWorld();
  await using informer = await world.startWatching();
  const heard = listen(informer);
  world.put('shop/a');
  world.server.disconnect();
  world.put('shop/b');
  await world.clock.advance(1000);
  world.put('shop/c');
  world.server.breakConnections();
  world.put('shop/d');
  await world.clock.advance(1000);
  expect(heard).toEqual(['add shop/a=', 'add shop/b=', 'add shop/c=', 'add shop/d=']);
  expect(world.asked).toEqual({ lists: 1, watches: 3 });
});

test('Informer changes nothing when a list breaks off between two pages', async () => {
  const world = new ListWatchWorld();
  for (const name of ['a', 'b', 'c', 'd']) world.put(`shop/${name}`, '1');
  await using informer = await world.startWatching({ pageSize: 2 });
  const heard = listen(informer);
  heard.length = 0;
  world.server.disconnect();
  world.remove('shop/a');
  world.put('shop/b', '2');
  world.script.next(isWatch, refusal(410));
  world.script.next(isList, refusal(500));
  world.script.next(isFurtherPage, {
    before: () => {
      world.put('shop/late');
      world.server.compact();
    },
  });
  await world.clock.settle();
  expect(informer.list().map(show)).toEqual(['shop/a=1', 'shop/b=1', 'shop/c=1', 'shop/d=1']);
  await world.clock.advance(60_000);
  expect(heard).toEqual(['delete shop/a=1', 'update shop/b=1 to shop/b=2', 'add shop/late=']);
});

test('Informer lists at once when its version is forgotten, and ever more slowly when that does not help', async () => {
  const world = new ListWatchWorld();
  await using _ = await world.startWatching();
  world.script.next(isWatch, ...Array(20).fill(refusal(410)));
  world.server.expireWatches();
  await world.clock.settle();
  expect(world.asked.lists).toBe(2);
  await world.clock.advance(5_000);
  expect(world.asked.lists).toBeLessThan(8);
  await world.clock.advance(600_000);
  expect(world.server.openWatches).toBe(1);
  const listsBefore = world.asked.lists;
  world.server.expireWatches();
  await world.clock.settle();
  expect(world.asked.lists).toBe(listsBefore + 1);
  expect(world.linesOf('warn')).toEqual([]);
});

test('Informer never gives up on a server that fails, asks it ever less often, and says so', async () => {
  const world = new ListWatchWorld();
  world.script.next(isList, ...Array(1_000).fill(refusal(500)));
  await using informer = world.startInformer();
  await world.clock.advance(600_000);
  expect(informer.hasSynced).toBe(false);
  expect(world.asked.lists).toBeGreaterThan(20);
  expect(world.asked.lists).toBeLessThan(160);
  expect(world.logLines.at(-1)).toMatchObject({
    level: 'warn',
    kind: 'ConfigMap',
    err: { code: 500 },
  });
  await world.clock.advance(7_200_000);
  expect(informer.hasSynced).toBe(true);
});

test.each([1, 10, 60, 3_600])(
  'Informer is there within five seconds of a server that was away for %i s',
  async (seconds) => {
    const world = new ListWatchWorld();
    let isAway = true;
    world.script.next((call) => isAway && isList(call), ...Array(2_000).fill(refusal(500)));
    await using informer = world.startInformer();
    await world.clock.advance(seconds * 1_000);
    isAway = false;
    await world.clock.advance(5_000);
    expect(informer.hasSynced).toBe(true);
  },
);

test('Informer does not storm a server that fails after a long time of health', async () => {
  const world = new ListWatchWorld();
  await using _ = await world.startWatching();
  await world.clock.advance(600_000);
  world.script.next(isList, ...Array(60).fill(refusal(403)));
  world.server.expireWatches();
  await world.clock.advance(60_000);
  expect(world.asked.lists).toBeGreaterThan(5);
  expect(world.asked.lists).toBeLessThan(25);
});

test.each([
  ['for as long as the server asks', '45', 44_000],
  ['a minute at most, however long the server asks', '31536000', 59_000],
])('Informer stays away %s', async (_, retryAfter, waitMs) => {
  const world = new ListWatchWorld();
  world.script.next(isList, refusal(429, retryAfter));
  await using informer = world.startInformer();
  await world.clock.advance(waitMs);
  expect(informer.hasSynced).toBe(false);
  await world.clock.advance(2_000);
  expect(informer.hasSynced).toBe(true);
});

test.each([
  ['a line that is not JSON', 'garbage'],
  ['half an event', '{"type":"MODIFIED"}'],
  [
    'an event of an unknown type',
    '{"type":"RENAMED","object":{"metadata":{"resourceVersion":"9"}}}',
  ],
  ['an error event', '{"type":"ERROR","object":{"code":403,"reason":"Forbidden"}}'],
])('Informer lists anew after %s', async (_, line) => {
  const world = new ListWatchWorld();
  await using informer = await world.startWatching();
  world.server.sendLine(line);
  world.put('shop/web', '2');
  await world.clock.advance(1_000);
  expect(informer.list().map(show)).toEqual(['shop/web=2']);
  expect(world.asked.lists).toBe(2);
  expect(world.linesOf('warn')).toEqual(['Cannot list or watch: trying again']);
});

test('Informer follows a server that went back in time, and warns of it', async () => {
  const world = new ListWatchWorld();
  const early = world.put('shop/web', '1');
  world.put('shop/web', '2');
  world.put('shop/db', '1');
  await using informer = await world.startWatching();
  const heard = listen(informer);
  world.server.expireWatches();
  world.server.restore(early.metadata.resourceVersion, [early]);
  await world.clock.settle();
  expect(heard.slice(2)).toEqual(['delete shop/db=1', 'update shop/web=2 to shop/web=1']);
  expect(informer.resourceVersion).toBe(early.metadata.resourceVersion);
  expect(world.linesOf('warn')).toEqual(['The server went back in time: was a backup restored?']);
  world.put('shop/web', '3');
  await world.clock.settle();
  expect(heard.at(-1)).toBe('update shop/web=1 to shop/web=3');
});

test('Informer survives handlers that throw', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web', '1');
  await using informer = await world.startWatching();
  const fail = () => {
    throw new Error('boom');
  };
  informer.subscribe({ onAdd: fail, onUpdate: fail, onDelete: fail });
  const heard = listen(informer);
  world.put('shop/web', '2');
  world.remove('shop/web');
  await world.clock.settle();
  expect(heard).toHaveLength(3);
  expect(world.linesOf('error')).toEqual(Array(3).fill('A handler of a cache failed'));
});

test('Informer asks for exactly what it was told to select', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web');
  world.put('bank/web');
  const selection = { namespace: 'shop', labelSelector: 'app=web', fieldSelector: 'a!=b' };
  await using informer = await world.startWatching({ selection });
  world.put('bank/db');
  world.put('shop/db');
  await world.clock.settle();
  expect(informer.list().map(show)).toEqual(['shop/web=', 'shop/db=']);
  const asked = world.calls.map(({ path }) => new URL(path, 'http://server'));
  expect(asked.map((url) => url.pathname)).toEqual(
    Array(2).fill('/api/v1/namespaces/shop/configmaps'),
  );
  for (const { searchParams } of asked) {
    expect(searchParams.get('labelSelector')).toBe('app=web');
    expect(searchParams.get('fieldSelector')).toBe('a!=b');
  }
});

test('Informer.seen() resolves when the cache has caught up with a write, by an event or a bookmark', async () => {
  const world = new ListWatchWorld();
  await using informer = await world.startWatching({ selection: { namespace: 'shop' } });
  const written = world.put('shop/web', '2');
  expect(informer.hasSeen(written)).toBe(false);
  using limit = deadline(world.clock, 1000, 'too late');
  await informer.seen(written, limit.signal);
  expect(informer.get(web)).toEqual(written);
  const outside = world.put('bank/web', '2');
  await world.clock.settle();
  expect(informer.hasSeen(outside)).toBe(false);
  world.server.sendBookmarks();
  await informer.seen(outside, limit.signal);
  expect(informer.resourceVersion).toBe(outside.metadata.resourceVersion);
});

test('Informer.seen() waits for the first list', async () => {
  const world = new ListWatchWorld();
  const written = world.put('shop/web');
  await using informer = world.startInformer();
  expect(informer.hasSeen(written)).toBe(false);
  await informer.seen(written, new AbortController().signal);
  expect(informer.get(web)).toEqual(written);
});

test('Informer.seen() rejects at the deadline of its signal', async () => {
  const world = new ListWatchWorld();
  await using informer = await world.startWatching();
  const written = world.put('shop/web');
  const future = { ...written, metadata: { ...written.metadata, resourceVersion: '1000' } };
  using limit = deadline(world.clock, 1000, 'too late');
  const waiting = rejection(informer.seen(future, limit.signal));
  await world.clock.advance(1000);
  expect(await waiting).toMatchObject({ name: 'DeadlineError', message: 'too late' });
});

test('Informer.seen() goes by the object itself when versions cannot be ordered', async () => {
  const world = new ListWatchWorld();
  const written = world.put('shop/web');
  await using informer = await world.startWatching();
  world.server.sendLine('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"opaque"}}}');
  await world.clock.settle();
  expect(informer.hasSeen(written)).toBe(true);
  const other = { ...written, metadata: { ...written.metadata, resourceVersion: 'other' } };
  expect(informer.hasSeen(other)).toBe(false);
});

test('Informer leaves no timer, no watch and no news behind when it is stopped', async () => {
  const world = new ListWatchWorld();
  const informer = world.startInformer();
  const heard = listen(informer);
  await world.clock.settle();
  const waiting = rejection(informer.waitFor(() => false));
  world.put('shop/web');
  await informer[Symbol.asyncDispose]();
  world.put('shop/db');
  await world.clock.advance(60_000);
  expect(heard).toEqual([]);
  expect(world.server.openWatches).toBe(0);
  expect(world.clock.pendingTimers).toBe(0);
  const stopped = { message: 'Cannot wait for configmaps: their cache was stopped' };
  expect(await waiting).toMatchObject(stopped);
  expect(await rejection(informer.synced())).toMatchObject(stopped);
});

test('Informer tells nothing of a list that is answered after the stop', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web');
  const informer = world.startInformer();
  world.script.next(isList, { before: () => void informer[Symbol.asyncDispose]() });
  const heard = listen(informer);
  await world.clock.settle();
  expect(world.asked.lists).toBe(1);
  expect(heard).toEqual([]);
  expect(informer.hasSynced).toBe(false);
});

test('Informer stops while it lists, and while it waits to list again', async () => {
  const listing = new ListWatchWorld();
  listing.script.next(isList, lostRequest('stall'));
  await listing.startInformer()[Symbol.asyncDispose]();
  expect(listing.clock.pendingTimers).toBe(0);
  const waiting = new ListWatchWorld();
  waiting.script.next(isList, refusal(403));
  const informer = waiting.startInformer();
  await waiting.clock.settle();
  await informer[Symbol.asyncDispose]();
  expect(waiting.clock.pendingTimers).toBe(0);
  expect(waiting.asked.lists).toBe(1);
});

test('Informer stops in the end even when a connection does not heed its signal', async () => {
  const world = new ListWatchWorld();
  const { clock, random } = world;
  const never = () => new Promise<never>(() => undefined);
  const transport = { host: 'x', send: never, upgrade: never, [Symbol.asyncDispose]: never };
  const informer = world.startInformer({ client: new Client({ transport, clock, random }) });
  await clock.settle();
  let stopped = false;
  const stopping = informer[Symbol.asyncDispose]().then(() => {
    stopped = true;
  });
  await clock.advance(4_000);
  expect(stopped).toBe(false);
  await clock.advance(1_000);
  await stopping;
  expect(world.linesOf('warn')).toEqual(['A watch did not end when it was told to']);
});

function isFurtherPage({ path }: ApiCall): boolean {
  return path.includes('continue=');
}

test('Informer tells why a list fails, and that a later one does not', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web', '1');
  const told: unknown[] = [];
  world.script.next(isList, refusal(403), refusal(403));
  await using informer = world.startInformer({ onFailure: (failure) => told.push(failure) });
  await timePassesUntil(world.clock, () => expect(informer.hasSynced).toBe(true));
  expect(told).toMatchObject([{ code: 403 }, { code: 403 }, undefined]);
});
