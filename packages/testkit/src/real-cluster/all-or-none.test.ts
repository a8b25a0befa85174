import { expect, test } from 'vitest';
import { allOrNone } from './all-or-none.ts';

const forever = new AbortController().signal;

test('allOrNone() gives what all of them gave', async () => {
  expect(await allOrNone([async () => 1, async () => 'two'], forever)).toEqual([1, 'two']);
});

test('allOrNone() tells the others of the first failure, and waits for them', async () => {
  let ended = false;
  const untilTold = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        ended = true;
        resolve();
      });
    });
  const fail = async () => Promise.reject(new Error('first'));
  await expect(allOrNone([untilTold, fail], forever)).rejects.toThrow('first');
  expect(ended).toBe(true);
});
