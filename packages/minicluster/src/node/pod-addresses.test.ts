import { expect, test } from 'vitest';
import { PodAddresses } from './pod-addresses.ts';

test('PodAddresses gives every address of the range once, and again when it was given back', () => {
  const addresses = new PodAddresses('10.1.2.0/29');
  const all = Array.from({ length: 5 }, () => addresses.take());
  expect(all).toEqual(['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6']);
  expect(() => addresses.take()).toThrow('the range of the node is used up');
  addresses.release('10.1.2.4');
  expect(addresses.take()).toBe('10.1.2.4');
});

test.each(['10.0.0.0', '10.0.0.0/30', 'fd00::/64'])('PodAddresses refuses "%s"', (range) => {
  expect(() => new PodAddresses(range)).toThrow(`Cannot use pod range "${range}"`);
});
