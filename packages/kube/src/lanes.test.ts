import { expect, test } from 'vitest';
import { Lanes } from './lanes.ts';

function takeAll(lanes: Lanes<string>): string[] {
  const taken: string[] = [];
  for (let next = lanes.shift(); next !== undefined; next = lanes.shift()) taken.push(next);
  return taken;
}

test('Lanes take turns, and within a lane the first is served first', () => {
  const lanes = new Lanes<string>();
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) lanes.add(name.slice(0, 1), name);
  expect(lanes.size).toBe(6);
  expect(takeAll(lanes)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect(lanes.size).toBe(0);
});

test('Lanes let whoever comes in a lane of its own pass a crowd that has been served a while', () => {
  const lanes = new Lanes<string>();
  for (const name of ['a1', 'a2', 'a3', 'a4']) lanes.add('a', name);
  lanes.shift();
  lanes.add('b', 'b1');
  expect(takeAll(lanes)).toEqual(['a2', 'b1', 'a3', 'a4']);
});

test('Lanes forget whoever leaves, also the last one of a lane', () => {
  const lanes = new Lanes<string>();
  for (const name of ['a1', 'a2', 'b1']) lanes.add(name.slice(0, 1), name);
  lanes.delete('a', 'a1');
  lanes.delete('b', 'b1');
  lanes.delete('b', 'b1');
  lanes.delete('c', 'a2');
  expect(lanes.size).toBe(1);
  expect(takeAll(lanes)).toEqual(['a2']);
});
