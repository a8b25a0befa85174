import { keyString, type ObjectKey } from '@liqo/kube';
import { expect, test } from 'vitest';
import { ListWatchWorld } from '../testing/list-watch-world.ts';
import { mapped, primary } from './cache-sources.ts';
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

test('primary() feeds updates only when they are worthwhile, but comings and goings always', async () => {
  const world = new ListWatchWorld();
  world.put('shop/web', 'a');
  await using informer = await world.startWatching();
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
