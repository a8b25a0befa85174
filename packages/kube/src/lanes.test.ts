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

test('Lanes get no extra turn for having been empty', () => {
  const lanes = new Lanes<string>();
  for (const name of ['a1', 'b1', 'b2']) lanes.add(name.slice(0, 1), name);
  lanes.shift();
  lanes.add('a', 'a2');
  expect(takeAll(lanes)).toEqual(['b1', 'a2', 'b2']);
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

test('Lanes do not let anybody wait twice', () => {
  const lanes = new Lanes<string>();
  for (const name of ['a1', 'a2', 'a1']) lanes.add('a', name);
  expect(lanes.size).toBe(2);
  expect(takeAll(lanes)).toEqual(['a1', 'a2']);
});

test('Lanes pass over those that may not be served, which keep their place', () => {
  const lanes = new Lanes<string>();
  for (const name of ['a1', 'b1', 'b2', 'c1']) lanes.add(name.slice(0, 1), name);
  expect(lanes.shift((lane) => lane === 'b')).toBe('b1');
  expect(lanes.shift((lane) => lane === 'd')).toBeUndefined();
  expect(takeAll(lanes)).toEqual(['a1', 'c1', 'b2']);
});

test('Lanes can be emptied', () => {
  const lanes = new Lanes<string>();
  lanes.add('a', 'a1');
  lanes.clear();
  expect(lanes.size).toBe(0);
  expect(takeAll(lanes)).toEqual([]);
});
