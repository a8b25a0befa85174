import { rejection, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { until } from './until.ts';

test('until() looks again until nothing is missing', async () => {
  const clock = new VirtualClock();
  const answers = ['two are missing', 'one is missing', undefined];
  const waiting = until(clock, async () => answers.shift());
  await clock.advance(1_000);
  await waiting;
  expect(answers).toEqual([]);
});

test('until() gives up after minutes, and says what is still missing', async () => {
  const clock = new VirtualClock();
  const waiting = rejection(until(clock, async () => 'one is missing'));
  await clock.advance(301_000);
  expect(await waiting).toMatchObject({ message: 'Waited 5 minutes, and still one is missing' });
});

test('until() ends when its signal aborts', async () => {
  const stop = new AbortController();
  const look = async () => {
    stop.abort(new Error('Enough'));
    return 'one is missing';
  };
  await expect(until(new VirtualClock(), look, stop.signal)).rejects.toThrow('Enough');
});
