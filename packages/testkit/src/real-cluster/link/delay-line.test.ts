import { expect, test } from 'vitest';
import { VirtualClock } from '../../virtual-clock.ts';
import { DelayLine } from './delay-line.ts';

test('DelayLine hands on at once what nothing delays', () => {
  const out: string[] = [];
  new DelayLine<string>(new VirtualClock(), (item) => out.push(item)).push('a');
  expect(out).toEqual(['a']);
});

test('DelayLine hands on later, in order, and nothing overtakes', async () => {
  const clock = new VirtualClock();
  const out: string[] = [];
  const line = new DelayLine<string>(clock, (item) =>
    out.push(`${item} at ${clock.monotonicMs()}`),
  );
  line.delayMs = 100;
  line.push('a');
  await clock.advance(30);
  line.push('b');
  line.delayMs = 0;
  line.push('c');
  await clock.advance(1_000);
  line.push('d');
  expect(out).toEqual(['a at 100', 'b at 130', 'c at 130', 'd at 1030']);
});
