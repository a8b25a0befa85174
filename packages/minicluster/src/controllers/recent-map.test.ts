import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

test('RecentMap forgets what was used longest ago', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  expect(map.get('a')).toBe(1);
  map.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
});
