import { rejection, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { ReviewCache } from './review-cache.ts';

function start(capacity = 10) {
  const clock = new VirtualClock();
  const cache = new ReviewCache<string>(clock, capacity);
  let reviews = 0;
  const get = (key: string, ttlMs = 1_000) =>
    cache.get(key, async () => ({ value: `${key}${++reviews}`, ttlMs }));
  return { clock, cache, get };
}

test('ReviewCache asks once for as long as an answer holds', async () => {
  const { clock, get } = start();
  expect([await get('a'), await get('a')]).toEqual(['a1', 'a1']);
  await clock.advance(999);
  expect(await get('a')).toBe('a1');
  await clock.advance(1);
  expect(await get('a')).toBe('a2');
});

test('ReviewCache asks once however many want to know', async () => {
  const { get } = start();
  expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['a1', 'a1', 'b2']);
});

test('ReviewCache does not remember a failure', async () => {
  const { cache, get } = start();
  const failure = new Error('down');
  expect(await rejection(cache.get('a', () => Promise.reject(failure)))).toBe(failure);
  expect(await get('a')).toBe('a1');
});

test('ReviewCache holds so many answers and no more, and keeps those that are used', async () => {
  const { cache, get } = start(3);
  for (const key of ['a', 'b', 'c']) await get(key);
  expect(await get('a')).toBe('a1');
  await get('d');
  expect(cache.size).toBe(3);
  expect([await get('a'), await get('b')]).toEqual(['a1', 'b5']);
  for (let n = 0; n < 100; n++) await get(`x${n}`);
  expect(cache.size).toBe(3);
});
