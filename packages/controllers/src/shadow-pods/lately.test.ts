import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { Lately } from './lately.ts';

test('Lately knows what was noted within its time, counted from the last note', async () => {
  const clock = new VirtualClock();
  const lately = new Lately(clock, 1_000);
  lately.note('a');
  await clock.advance(600);
  lately.note('b');
  expect([lately.has('a'), lately.has('b'), lately.has('c')]).toEqual([true, true, false]);
  await clock.advance(300);
  lately.note('a');
  await clock.advance(900);
  expect([lately.has('a'), lately.has('b')]).toEqual([true, false]);
  await clock.advance(200);
  expect(lately.has('a')).toBe(false);
});
