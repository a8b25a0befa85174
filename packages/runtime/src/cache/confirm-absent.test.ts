import { ConfigMap } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { isWatch, refusal } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { ListWatchWorld } from '../testing/list-watch-world.ts';
import { confirmAbsent } from './confirm-absent.ts';

const web = { namespace: 'shop', name: 'web' };

test('confirmAbsent() confirms what the server does not have', async () => {
  const { client } = new ListWatchWorld();
  expect(await confirmAbsent(client, ConfigMap, web)).toBe(true);
});

test('confirmAbsent() confirms nothing while the object exists', async () => {
  const world = new ListWatchWorld();
  const { uid } = world.put('shop/web').metadata;
  expect(await confirmAbsent(world.client, ConfigMap, web)).toBe(false);
  expect(await confirmAbsent(world.client, ConfigMap, { ...web, uid })).toBe(false);
});

test('confirmAbsent() does not take a later object of the same name for the one that is gone', async () => {
  const world = new ListWatchWorld();
  const { uid } = world.put('shop/web').metadata;
  world.remove('shop/web');
  world.put('shop/web');
  expect(await confirmAbsent(world.client, ConfigMap, { ...web, uid })).toBe(true);
});

test('confirmAbsent() sees past a cache that has fallen behind', async () => {
  const world = new ListWatchWorld();
  await using informer = await world.startWatching();
  world.script.next(isWatch, refusal(500));
  world.server.breakConnections();
  world.put('shop/web');
  expect(informer.get(web)).toBeUndefined();
  expect(await confirmAbsent(world.client, ConfigMap, web)).toBe(false);
});

test.each([403, 404, 500])('confirmAbsent() throws when the server answers %d', async (code) => {
  const world = new ListWatchWorld();
  world.script.next(() => true, refusal(code));
  expect(await rejection(confirmAbsent(world.client, ConfigMap, web))).toMatchObject({ code });
});
