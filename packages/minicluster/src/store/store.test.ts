import { expect, test } from 'vitest';
import { Store } from './store.ts';

const object = (name: string, data = '') => ({ metadata: { name }, data });

test('Collection.put() versions everything in the store by one counter', () => {
  const store = new Store();
  const a = store.collection('a').put('x', undefined, object('x'));
  const b = store.collection('b').put('x', undefined, object('x'));
  expect(Number(b?.metadata.resourceVersion)).toBe(Number(a?.metadata.resourceVersion) + 1);
  expect(b?.metadata.resourceVersion).toBe(String(store.revision));
});

test('Collection.put() refuses to replace an item that the writer has not seen', () => {
  const collection = new Store().collection('a');
  const first = collection.put('x', undefined, object('x', '1'));
  const second = collection.put('x', first, object('x', '2'));
  expect(collection.put('x', first, object('x', '3'))).toBeUndefined();
  expect(collection.put('x', undefined, object('x', '3'))).toBeUndefined();
  expect(collection.get('x')).toBe(second);
});

test('Collection.remove() gives the last state with the version of the removal', () => {
  const store = new Store();
  const collection = store.collection('a');
  const made = collection.put('x', undefined, object('x', '1'));
  if (!made) throw new Error('The first put cannot fail');
  const removed = collection.remove('x', made);
  expect(removed).toMatchObject({
    data: '1',
    metadata: { resourceVersion: String(store.revision) },
  });
  expect(collection.remove('x', made)).toBeUndefined();
  expect(collection.size).toBe(0);
});

test('Collection.listAt() undoes what happened since', () => {
  const store = new Store();
  const collection = store.collection('a');
  const x = collection.put('x', undefined, object('x', '1'));
  const y = collection.put('y', undefined, object('y', '1'));
  const then = store.revision;
  if (!x || !y) throw new Error('The first puts cannot fail');
  collection.put('x', x, object('x', '2'));
  collection.remove('y', y);
  collection.put('a', undefined, object('a'));
  expect(collection.listAt(then)).toEqual([x, y]);
  expect(collection.list().map((item) => item.metadata.name)).toEqual(['a', 'x']);
});

test('Store.compact() makes older versions too old, and lets whoever is up to date go on', () => {
  const store = new Store();
  const collection = store.collection('a');
  collection.put('x', undefined, object('x'));
  const read = store.revision;
  store.collection('b').put('x', undefined, object('x'));
  store.compact();
  expect(collection.listAt(read)).toBeUndefined();
  collection.put('y', undefined, object('y'));
  expect(collection.log.since(read)?.map((change) => change.key)).toEqual(['y']);
  expect(collection.log.since(0)).toBeUndefined();
});

test('EventLog forgets the oldest changes beyond its limit', () => {
  const store = new Store({ historyLimit: 10 });
  const collection = store.collection('a');
  for (let i = 0; i < 50; i++) collection.put(`x${i}`, undefined, object(`x${i}`));
  expect(collection.log.remembers(store.revision - 10)).toBe(true);
  expect(collection.log.remembers(1)).toBe(false);
});
