import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { ItemExpiry } from './item-expiry.ts';
import { Store } from './store.ts';

const minute = 60_000;

function setUp() {
  const clock = new VirtualClock();
  const collection = new Store().collection('events');
  const expiry = new ItemExpiry(collection, 60 * minute, clock);
  const put = (name: string) => {
    const key = `default/${name}`;
    return collection.put(key, collection.get(key), { metadata: { name } });
  };
  const names = () => collection.list().map(({ metadata }) => metadata.name);
  return { clock, collection, expiry, put, names };
}

test('ItemExpiry removes items when their time is up, and not before', async () => {
  const { clock, expiry, put, names } = setUp();
  put('a');
  await clock.advance(20 * minute);
  put('b');
  await clock.advance(40 * minute - 1);
  expect(names()).toEqual(['a', 'b']);
  await clock.advance(1);
  expect(names()).toEqual(['b']);
  await clock.advance(20 * minute);
  expect(names()).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
  expiry[Symbol.dispose]();
});

test('ItemExpiry gives a written item all of its time again', async () => {
  const { clock, put, names } = setUp();
  put('a');
  put('b');
  await clock.advance(59 * minute);
  put('a');
  await clock.advance(59 * minute);
  expect(names()).toEqual(['a']);
  await clock.advance(minute);
  expect(names()).toEqual([]);
});

test('ItemExpiry tells of a removal as of any other', async () => {
  const { clock, collection, put } = setUp();
  const item = put('a');
  const revision = Number(item?.metadata.resourceVersion);
  await clock.advance(60 * minute);
  expect(collection.log.since(revision)).toMatchObject([
    { type: 'DELETED', revision: revision + 1, previous: item },
  ]);
});

test('ItemExpiry leaves alone what was removed and made again', async () => {
  const { clock, collection, put, names } = setUp();
  const first = put('a');
  await clock.advance(30 * minute);
  if (first) collection.remove('default/a', first);
  put('a');
  await clock.advance(59 * minute);
  expect(names()).toEqual(['a']);
});

test('ItemExpiry leaves no timer behind', () => {
  const { clock, expiry, put } = setUp();
  put('a');
  expiry[Symbol.dispose]();
  put('b');
  expect(clock.pendingTimers).toBe(0);
});
