import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function queueOf(...keys: readonly string[]): FairQueue {
  const queue = new FairQueue((key) => key.split('/', 1)[0] ?? '');
  for (const key of keys) queue.push(key);
  return queue;
}

function drain(queue: FairQueue): readonly string[] {
  return Array.from({ length: queue.size }, () => queue.shift() ?? 'nothing');
}

test('FairQueue lets groups take turns, each in its own order', () => {
  const queue = queueOf('a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'b/2');
  expect(drain(queue)).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'a/3']);
});

test('FairQueue serves a newcomer after one turn of everybody else, however many keys they have', () => {
  const queue = queueOf(...Array.from({ length: 2000 }, (_, i) => `burst/${i}`));
  queue.shift();
  queue.push('shop/web');
  expect([queue.shift(), queue.shift()]).toEqual(['burst/1', 'shop/web']);
});

test('FairQueue gives a group no extra turn for having been empty', () => {
  const queue = queueOf('a/1', 'b/1', 'b/2');
  expect(queue.shift()).toBe('a/1');
  queue.push('a/2');
  expect(drain(queue)).toEqual(['b/1', 'a/2', 'b/2']);
  expect(queue.shift()).toBeUndefined();
  expect(queue.size).toBe(0);
});
