import { expect, test } from 'vitest';
import { describeLosses } from './losses.ts';

const none = {
  peers: [],
  virtualNodes: [],
  offloadedNamespaces: [],
  slices: [],
  offers: [],
  tenants: [],
  podsOfConsumers: 0,
};

test('describeLosses() has nothing to say where nothing is in use', () => {
  expect(describeLosses(none)).toEqual([]);
});

test('describeLosses() names what is in use, and counts what is too much to name', () => {
  const virtualNodes = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const losses = { ...none, peers: ['milan'], virtualNodes, offers: ['milan'], podsOfConsumers: 3 };
  expect(describeLosses(losses)).toEqual([
    '1 peer ("milan")',
    '7 virtual nodes ("a", "b", "c", "d", "e", and 2 more)',
    '1 accepted offer ("milan")',
    '3 pods of consumers',
  ]);
});
