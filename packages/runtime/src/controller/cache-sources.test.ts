import { ConfigMap, Deployment, keyString, type ObjectKey, ReplicaSet } from '@liqo/kube';
import { expect, test } from 'vitest';
import { ListWatchWorld } from '../testing/list-watch-world.ts';
import { mapped, owned, primary } from './cache-sources.ts';
import type { Source } from './source.ts';

/** Starts the source and gives the keys it feeds, in order. */
function feed(world: ListWatchWorld, source: Source): string[] {
  const keys: string[] = [];
  const enqueue = (key: ObjectKey) => void keys.push(keyString(key));
  source.start({ clock: world.clock, log: world.log, enqueue });
  return keys;
}

async function startWorld() {
  const world = new ListWatchWorld();
  world.put('shop/web', 'a');
  const informer = await world.startWatching();
  return { world, informer, [Symbol.asyncDispose]: () => informer[Symbol.asyncDispose]() };
}

test('primary() feeds the key of every object that is there, changes or goes', async () => {
  await using fixture = await startWorld();
  const { world, informer } = fixture;
  const source = primary(informer);
  expect(source.caches).toEqual([informer]);
  const keys = feed(world, source);
  world.put('bank/web');
  world.remove('shop/web');
  await world.clock.settle();
  expect(keys).toEqual(['shop/web', 'bank/web', 'shop/web']);
});

test('primary() feeds updates only when they are worthwhile, but comings, goings and resyncs always', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web', 'a');
  await using informer = await world.startWatching({ resyncMs: 60_000 });
  const keys = feed(
    world,
    primary(informer, (_, after) => after.data?.value === 'good'),
  );
  world.put('shop/web', 'bad');
  await world.clock.settle();
  expect(keys).toHaveLength(1);
  world.put('shop/web', 'good');
  await world.clock.settle();
  expect(new Set(keys.splice(1))).toEqual(new Set(['shop/web']));
  await world.clock.advance(60_000);
  expect(keys.splice(1)).toEqual(['shop/web']);
  world.remove('shop/web');
  await world.clock.settle();
  expect(keys.splice(1)).toEqual(['shop/web']);
});

test('mapped() feeds the keys of the object as it was and as it is', async () => {
  await using fixture = await startWorld();
  const { world, informer } = fixture;
  const keys = feed(
    world,
    mapped(informer, (object) => [{ name: object.data?.value ?? '' }]),
  );
  world.put('shop/web', 'b');
  await world.clock.settle();
  expect(keys).toEqual(['a', 'b', 'a']);
});

test.each([
  ['the controlling owner', { kind: 'Deployment', controller: true }, ['shop/owner']],
  ['no owner that does not control', { kind: 'Deployment', controller: false }, []],
  ['no owner of another kind', { kind: 'ReplicaSet', controller: true }, []],
  [
    'an owner in any version',
    { apiVersion: 'apps/v9', kind: 'Deployment', controller: true },
    ['shop/owner'],
  ],
  ['no owner of another group', { apiVersion: 'v1', kind: 'Deployment', controller: true }, []],
])('owned() feeds %s', async (_, reference, expected) => {
  const world = new ListWatchWorld();
  const owner = { apiVersion: 'apps/v1', name: 'owner', uid: 'u', ...reference };
  world.put('shop/web', '', { ownerReferences: [owner] });
  await using informer = await world.startWatching();
  expect(feed(world, owned(informer, { ownerKind: Deployment }))).toEqual(expected);
});

test('owned() feeds an owner without a namespace when its kind has none', async () => {
  const world = new ListWatchWorld();
  const ownerKind = { ...ReplicaSet, namespaced: false };
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'owner', uid: 'u' };
  world.put('shop/web', '', { ownerReferences: [{ ...owner, controller: true }] });
  await using informer = await world.startWatching();
  expect(feed(world, owned(informer, { ownerKind }))).toEqual(['owner']);
  expect(informer.kind).toBe(ConfigMap);
});
