import { getEventListeners } from 'node:events';
import { rejection } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { unlessAborted } from './unless-aborted.ts';

const never = new Promise<never>(() => undefined);

test('unlessAborted() passes the outcome on, and lets go of the signal', async () => {
  const { signal } = new AbortController();
  const failure = new Error('no');
  expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
  expect(await rejection(unlessAborted(Promise.reject(failure), signal))).toBe(failure);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(await unlessAborted(Promise.resolve(2), undefined)).toBe(2);
});

test('unlessAborted() rejects with the reason of the signal, before or after the call', async () => {
  const controller = new AbortController();
  const waiting = rejection(unlessAborted(never, controller.signal));
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await waiting).toBe(reason);
  expect(await rejection(unlessAborted(never, controller.signal))).toBe(reason);
});

test('unlessAborted() takes care of a failure that comes after the abort', async () => {
  const reason = new Error('enough');
  const late = unlessAborted(Promise.reject(new Error('no')), AbortSignal.abort(reason));
  expect(await rejection(late)).toBe(reason);
});
