import { rejection } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { WaitList } from './wait-list.ts';

test('WaitList resolves at once what is true already', async () => {
  await expect(new WaitList().until(() => true)).resolves.toBeUndefined();
});

test('WaitList resolves those whose condition has come true, and only those', async () => {
  const list = new WaitList();
  let level = 0;
  const settled: number[] = [];
  const waits = [1, 2].map(async (wanted) => {
    await list.until(() => level >= wanted);
    settled.push(wanted);
  });
  level = 1;
  list.check();
  await waits[0];
  expect(settled).toEqual([1]);
  level = 2;
  list.check();
  await Promise.all(waits);
  expect(settled).toEqual([1, 2]);
});

test('WaitList rejects with the reason of the signal, before and during the wait', async () => {
  const list = new WaitList();
  const controller = new AbortController();
  const waiting = list.until(() => false, controller.signal);
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await rejection(waiting)).toBe(reason);
  expect(await rejection(list.until(() => true, controller.signal))).toBe(reason);
});

test('WaitList rejects the one whose condition throws and goes on with the others', async () => {
  const list = new WaitList();
  let ready = false;
  const bad = list.until(() => {
    if (ready) throw new Error('bad condition');
    return false;
  });
  const good = list.until(() => ready);
  ready = true;
  list.check();
  expect(await rejection(bad)).toEqual(new Error('bad condition'));
  await good;
});

test('WaitList tells everybody when the wait is in vain', async () => {
  const list = new WaitList();
  const waits = [list.until(() => false), list.until(() => false)];
  list.rejectAll(new Error('stopped'));
  for (const wait of waits) expect(await rejection(wait)).toEqual(new Error('stopped'));
});
