import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { Progress } from './progress.ts';

const good = { wrongs: [], simulatedMs: 3_600_000, calls: 10 };

test('Progress says every few seconds how far it is, and at the end what came of it', async () => {
  const clock = new VirtualClock();
  const progress = new Progress(clock, 3);
  expect(progress.note({ seed: 1, ...good })).toBeUndefined();
  await clock.advance(6_000);
  const bad = { seed: 2, ...good, wrongs: ['something is left'] };
  expect(progress.note(bad)).toBe('2 of 3 seeds, 1 failure, 20 seeds a minute');
  await clock.advance(24_000);
  expect(progress.note({ seed: 3, ...good })).toBeUndefined();
  expect(progress.hasFailures).toBe(true);
  expect(progress.summary()).toBe(
    '3 seeds, 1 failure (2), 6 seeds a minute; 3.0 hours of clusters, 30 calls of the product',
  );
});
