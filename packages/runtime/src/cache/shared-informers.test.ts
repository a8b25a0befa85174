import { ConfigMap } from '@liqo/kube';
import { beforeEach, describe, expect, test } from 'vitest';
import { ListWatchWorld, listen, describe as show } from '../testing/list-watch-world.ts';
import { SharedInformers } from './shared-informers.ts';

const inShop = { namespace: 'shop' };
let world: ListWatchWorld;
let caches: SharedInformers;
beforeEach(() => {
  world = new ListWatchWorld();
  world.put('shop/web', '1');
  caches = new SharedInformers(world);
});

describe('SharedInformers', () => {
  test('ask once for what several want', async () => {
    await using first = caches.borrow(ConfigMap, inShop);
    await using second = caches.borrow(ConfigMap, { ...inShop, labelSelector: undefined });
    expect(second.informer).toBe(first.informer);
    const heard = [listen(first.informer), listen(second.informer)];
    await world.clock.settle();
    expect(heard).toEqual([['add shop/web=1 (initial)'], ['add shop/web=1 (initial)']]);
    expect(world.asked).toEqual({ lists: 1, watches: 1 });
  });

  test.each([
    ['all of them', {}],
    ['another namespace', { namespace: 'bank' }],
    ['other labels', { ...inShop, labelSelector: 'a=b' }],
    ['other fields', { ...inShop, fieldSelector: 'metadata.name=web' }],
  ])('ask apart for %s', async (_, selection) => {
    await using first = caches.borrow(ConfigMap, inShop);
    await using second = caches.borrow(ConfigMap, selection);
    expect(second.informer).not.toBe(first.informer);
  });

  test('go on until the last one has given them back, who does so once', async () => {
    const first = caches.borrow(ConfigMap);
    await using second = caches.borrow(ConfigMap);
    await second.informer.synced();
    await first[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    world.put('shop/web', '2');
    await world.clock.settle();
    expect(second.informer.list().map(show)).toEqual(['shop/web=2']);
  });

  test('begin anew for whoever comes after the last one', async () => {
    const first = caches.borrow(ConfigMap);
    await first.informer.synced();
    await first[Symbol.asyncDispose]();
    world.put('shop/web', '2');
    await using second = caches.borrow(ConfigMap);
    expect(second.informer.hasSynced).toBe(false);
    await second.informer.synced();
    expect(second.informer.list().map(show)).toEqual(['shop/web=2']);
    expect(first.informer.list().map(show)).toEqual(['shop/web=1']);
    expect(world.clock.pendingTimers).toBeLessThanOrEqual(1);
  });

  test('share what is built on them by its key, and end it with its last borrower', async () => {
    let ended = 0;
    const start = () => ({ [Symbol.asyncDispose]: async () => void ended++ });
    const first = caches.share('a', start);
    const second = caches.share('a', start);
    await using other = caches.share('b', start);
    expect(second.value).toBe(first.value);
    expect(other.value).not.toBe(first.value);
    await first[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    expect(ended).toBe(0);
    await second[Symbol.asyncDispose]();
    expect(ended).toBe(1);
  });
});
