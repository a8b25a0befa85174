import { beforeEach, describe, expect, test } from 'vitest';
import { NewsPace } from './news-pace.ts';

const least = 3;
const lateMs = 100;
let pace: NewsPace;
beforeEach(() => {
  pace = new NewsPace({ least, lateMs });
});

function learn(newsMs: number, times = 1): void {
  for (let i = 0; i < times; i++) pace.learn(newsMs);
}

describe('NewsPace', () => {
  test('has room for all until news are late', () => {
    learn(lateMs);
    expect(pace.current).toBe(Number.POSITIVE_INFINITY);
  });

  test('has room for few once news are late, and for one more with all that are not', () => {
    learn(lateMs + 1);
    expect(pace.current).toBe(least);
    learn(5, 2);
    expect(pace.current).toBe(least + 2);
    learn(500);
    expect(pace.current).toBe(least);
  });

  test('bears a home that is late whatever is done, however late it is', () => {
    learn(700, 300);
    expect(pace.current).toBe(least);
    learn(700, 50);
    expect(pace.current).toBe(least + 50);
    learn(900);
    expect(pace.current).toBe(least);
  });

  test('bears no more of a home that is in time again and again', () => {
    for (let i = 0; i < 10; i++) {
      learn(150, 20);
      expect(pace.current).toBe(least);
      learn(5, 4 * least);
    }
  });

  test('bears no more than at first of a home that was slow once', () => {
    learn(150, 100);
    learn(150);
    expect(pace.current).toBe(least + 1);
    learn(5, 100);
    learn(150);
    expect(pace.current).toBe(least);
  });
});
