import { expect, test } from 'vitest';
import { LearntLimit, type LimitBounds } from './learnt-limit.ts';

/** One that has seen what is quick, and then for a while what takes twice as long. */
function afterDelays(bounds: LimitBounds): number {
  const limit = new LearntLimit({ initial: 64, min: 4, ...bounds });
  limit.learn(100, false);
  for (let i = 0; i < 200; i++) limit.learn(200, false);
  return limit.current;
}

test('LearntLimit bears a short queue over there', () => {
  expect(afterDelays({ initial: 32 })).toBe(32);
});

test('LearntLimit shrinks until the queue over there is as short as it is told', () => {
  expect(afterDelays({ queue: 2 })).toBeLessThan(48);
  expect(afterDelays({ queue: 1 })).toBe(16);
});

test('LearntLimit never shrinks below the least', () => {
  expect(afterDelays({ queue: 1, min: 24 })).toBe(24);
});

test('LearntLimit takes a server that has become slower for good for what it is', () => {
  const limit = new LearntLimit({ initial: 32, min: 4, queue: 1 });
  limit.learn(50, true);
  for (let i = 0; i < 500; i++) limit.learn(200, true);
  expect(limit.current).toBeLessThan(32);
  for (let i = 0; i < 5_000; i++) limit.learn(200, true);
  expect(limit.current).toBe(400);
});
