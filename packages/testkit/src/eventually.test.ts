import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';

test('eventually() gives back what the assertion gives once it holds', async () => {
  let tries = 0;
  const value = await eventually(
    () => {
      if (++tries < 3) throw new Error('not yet');
      return tries;
    },
    { intervalMs: 1 },
  );
  expect(value).toBe(3);
});

test('eventually() throws the last failure and says how long it waited', async () => {
  let tries = 0;
  const failing = eventually(() => Promise.reject(new Error(`failure ${++tries}`)), {
    timeoutMs: 30,
    intervalMs: 5,
  });
  const error = await failing.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: expect.stringMatching(/^Still failing after \d+ ms and \d+ tries: failure \d+$/),
    cause: { message: `failure ${tries}` },
  });
  expect(tries).toBeGreaterThan(1);
});

test('eventually() does not wait for an attempt that hangs', async () => {
  const hanging = eventually(() => new Promise(() => undefined), { timeoutMs: 20 });
  await expect(hanging).rejects.toThrow('The first attempt did not finish');
});

test('eventually() stops with the reason of an aborted signal', async () => {
  const stop = new AbortController();
  const waiting = eventually(() => Promise.reject(new Error('no')), { signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});
