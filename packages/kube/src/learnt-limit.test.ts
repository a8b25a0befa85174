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
