import { expect, test } from 'vitest';
import { nameNodes } from './name-nodes.ts';

test('nameNodes() counts nodes from 1, after their cluster', () => {
  expect(nameNodes('home', 2)).toEqual(['home-node-1', 'home-node-2']);
  expect(nameNodes('home', [{ name: 'edge' }])).toEqual(['edge']);
  expect(nameNodes('home', 0)).toEqual([]);
});

test.each([
  ['more nodes than there are addresses', 101, 'it can have 100 nodes, not 101'],
  ['a name twice', [{ name: 'a' }, { name: 'a' }], 'two of its nodes have the same name'],
  ['a name with a slash', [{ name: '../a' }], 'node name "../a" is not made of lower-case letters'],
])('nameNodes() refuses %s', (_, wanted, fact) => {
  expect(() => nameNodes('home', wanted)).toThrow(`Cannot start cluster "home": ${fact}`);
});
