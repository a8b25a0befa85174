import { getEventListeners } from 'node:events';
import { rejection, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { sleep } from './clock.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Fills the limit and lets as many wait. */
function crowded(limit: ConcurrencyLimit, waiting = 1_000): void {
  while (limit.running < limit.current) void limit.acquire();
  for (let n = 0; n < waiting; n++) void limit.acquire();
}

test('acquire() lets as many run as the limit says, and the others in the order they came', async () => {
  const limit = new ConcurrencyLimit({ initial: 2 });
  expect(limit.acquire()).toBeUndefined();
  expect(limit.acquire()).toBeUndefined();
  const order: string[] = [];
  const waiting = ['a', 'b', 'c'].map((name) => limit.acquire()?.then(() => order.push(name)));
  limit.release('failed', 0, 1);
  await waiting[0];
  limit.release('failed', 0, 1);
  limit.release('failed', 0, 1);
  await Promise.all(waiting);
  expect(order).toEqual(['a', 'b', 'c']);
  expect(limit.running).toBe(2);
});

test('acquire() lets those of other lanes wait for one turn, and not for a crowd', async () => {
  const limit = new ConcurrencyLimit({ initial: 1, min: 1 });
  void limit.acquire();
  const order: string[] = [];
  for (const name of ['a', 'a', 'a', 'b']) {
    void limit.acquire(undefined, () => name)?.then(() => order.push(name));
  }
  for (let i = 0; i < 4; i++) limit.release('failed', 0, 1);
  await new Promise(setImmediate);
  expect(order).toEqual(['a', 'b', 'a', 'a']);
});

test('acquire() does not let newcomers pass those who wait', () => {
  const limit = new ConcurrencyLimit({ initial: 1, min: 1 });
  void limit.acquire();
  void limit.acquire();
  expect(limit.acquire()).toBeInstanceOf(Promise);
});

test('acquire() lets go of whoever gives up while waiting', async () => {
  const limit = new ConcurrencyLimit({ initial: 1 });
  void limit.acquire();
  const controller = new AbortController();
  const reason = new Error('enough');
  const impatient = limit.acquire(controller.signal);
  const { signal } = new AbortController();
  const patient = limit.acquire(signal);
  controller.abort(reason);
  expect(await rejection(impatient ?? Promise.resolve())).toBe(reason);
  limit.release('failed', 0, 1);
  await patient;
  expect(limit.running).toBe(1);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('acquire() does not queue whoever has given up already', async () => {
  const limit = new ConcurrencyLimit({ initial: 1 });
  void limit.acquire();
  const reason = new Error('enough');
  const gone = limit.acquire(AbortSignal.abort(reason));
  expect(await rejection(gone ?? Promise.resolve())).toBe(reason);
  limit.release('failed', 0, 1);
  expect(limit.running).toBe(0);
});

test('release() halves the limit when the server says 429, once for all answers of one burst', () => {
  const limit = new ConcurrencyLimit({ initial: 64 });
  for (let n = 0; n < 10; n++) void limit.acquire();
  for (let n = 0; n < 10; n++) limit.release('refused', 0, 50 + n);
  expect(limit.current).toBe(32);
  void limit.acquire();
  limit.release('refused', 60, 90);
  expect(limit.current).toBe(16);
});

test('release() never halves below the minimum', () => {
  const limit = new ConcurrencyLimit({ initial: 64, min: 4 });
  for (let ms = 0; ms < 100; ms += 10) {
    void limit.acquire();
    limit.release('refused', ms, ms + 5);
  }
  expect(limit.current).toBe(4);
});

test('release() raises the limit while answers are fast and somebody waits, up to the maximum', () => {
  const limit = new ConcurrencyLimit({ initial: 8, max: 50 });
  crowded(limit);
  for (let n = 0; n < 500; n++) limit.release('answered', n, n + 10);
  expect(limit.current).toBe(50);
  expect(limit.running).toBe(50);
});

test('release() leaves the limit alone while nobody waits', () => {
  const limit = new ConcurrencyLimit({ initial: 8 });
  for (let n = 0; n < 100; n++) {
    void limit.acquire();
    limit.release('answered', n, n + 10);
  }
  expect(limit.current).toBe(8);
});

test('release() learns nothing from a request without an answer', () => {
  const limit = new ConcurrencyLimit({ initial: 8 });
  crowded(limit);
  for (let n = 0; n < 50; n++) limit.release('failed', n, n + 10);
  expect(limit.current).toBe(8);
});

test('release() lowers the limit while answers take much longer than the fastest', () => {
  const limit = new ConcurrencyLimit();
  expect(limit.current).toBe(64);
  crowded(limit);
  for (let n = 0; n < 300; n++) limit.release('answered', 0, n === 0 ? 30 : 1_500);
  expect(limit.current).toBeLessThan(50);
});

test('release() gets used to a server that has become slower for good', () => {
  const limit = new ConcurrencyLimit({ initial: 60, max: 60 });
  crowded(limit, 30_000);
  limit.release('answered', 0, 30);
  for (let n = 0; n < 1_000; n++) limit.release('answered', 0, 1_500);
  expect(limit.current).toBeLessThan(50);
  for (let n = 0; n < 20_000; n++) limit.release('answered', 0, 1_500);
  expect(limit.current).toBe(60);
});

test('ConcurrencyLimit finds out how much a server can do at a time, and does not flood it', async () => {
  const clock = new VirtualClock();
  const limit = new ConcurrencyLimit({ initial: 4 });
  const worker = Array.from({ length: 8 }, () => 0);
  let most = 0;
  const request = async () => {
    await limit.acquire();
    const startedMs = clock.monotonicMs();
    most = Math.max(most, limit.running);
    const next = worker.indexOf(Math.min(...worker));
    worker[next] = Math.max(worker[next] ?? 0, startedMs) + 30;
    await sleep(clock, (worker[next] ?? 0) - startedMs);
    limit.release('answered', startedMs, clock.monotonicMs());
  };
  const all = Promise.all(Array.from({ length: 2_000 }, request));
  await clock.advance(2_000 * 30);
  await all;
  expect(most).toBeGreaterThanOrEqual(8);
  expect(most).toBeLessThan(50);
});
