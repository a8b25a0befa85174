import { expect, test } from 'vitest';
import {
  canonicalIpv6,
  endpointAddress,
  ipAddress,
  isDualStackPair,
  isStrictSubset,
  readCidr,
} from './addresses.ts';

const messages = (problems: readonly { readonly message: string }[]) =>
  problems.map(({ message }) => message);

test('ipAddress() takes leading zeros, as the fields that use it always have', () => {
  expect(ipAddress('f', '010.0.0.01')).toEqual([]);
  expect(messages(ipAddress('f', '10.0.0'))).toEqual([
    'Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ]);
});

test('ipAddress() lets a value stay that was there before', () => {
  expect(ipAddress('f', 'nonsense', ['nonsense'])).toEqual([]);
});

test('canonicalIpv6() wants the shortest way to write an address', () => {
  expect(canonicalIpv6('f', '2001:db8::1')).toEqual([]);
  expect(messages(canonicalIpv6('f', '2001:DB8:0:0::1'))).toEqual([
    'Invalid value: "2001:DB8:0:0::1": must be in canonical form ("2001:db8::1")',
  ]);
});

test('readCidr() reads a network of either family and nothing else', () => {
  expect(readCidr('10.0.0.0/8')).toEqual({ address: '10.0.0.0', prefix: 8, family: 'ipv4' });
  expect(readCidr('fd00::/64')).toEqual({ address: 'fd00::', prefix: 64, family: 'ipv6' });
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'x/8']) {
    expect(readCidr(text)).toBeUndefined();
  }
});

test('isStrictSubset() holds for a smaller network inside of a bigger one', () => {
  const [inner, outer] = [readCidr('10.1.0.0/16'), readCidr('10.0.0.0/8')];
  const other = readCidr('11.0.0.0/16');
  if (!inner || !outer || !other) throw new Error('Cannot read the networks of this test');
  expect(isStrictSubset(inner, outer)).toBe(true);
  expect(isStrictSubset(outer, inner)).toBe(false);
  expect(isStrictSubset(outer, outer)).toBe(false);
  expect(isStrictSubset(other, outer)).toBe(false);
});

test('isDualStackPair() wants one address of each family', () => {
  expect(isDualStackPair(['10.0.0.1', 'fd00::1'])).toBe(true);
  expect(isDualStackPair(['10.0.0.1', '10.0.0.2'])).toBe(false);
  expect(isDualStackPair(['10.0.0.1'])).toBe(false);
});

test.each([
  ['0.0.0.0', 'may not be unspecified (0.0.0.0)'],
  ['127.0.0.1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
  ['169.254.1.1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
  ['224.0.0.9', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
])('endpointAddress() refuses %s, which means something on every machine', (address, fault) => {
  expect(messages(endpointAddress('f', address))).toEqual([
    `Invalid value: "${address}": ${fault}`,
  ]);
});
