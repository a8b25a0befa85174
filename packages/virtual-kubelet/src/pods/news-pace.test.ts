import { expect, test } from 'vitest';
import { NewsPace } from './news-pace.ts';

test('NewsPace has room for all until news are late', () => {
  const pace = new NewsPace({ least: 3, lateMs: 100 });
  pace.learn(100);
  expect(pace.current).toBe(Number.POSITIVE_INFINITY);
});

test('NewsPace has room for few once news are late, and for one more with all that are not', () => {
  const pace = new NewsPace({ least: 3, lateMs: 100 });
  pace.learn(101);
  expect(pace.current).toBe(3);
  pace.learn(5);
  pace.learn(5);
  expect(pace.current).toBe(5);
  pace.learn(500);
  expect(pace.current).toBe(3);
});
