import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatIpAddress, isInRange, parseIpAddress, parseIpRange } from './ip-address.ts';

test.each([
  ['0.0.0.0', 4, 0n],
  ['10.1.2.3', 4, 0x0a010203n],
  ['255.255.255.255', 4, 0xffffffffn],
  ['::', 6, 0n],
  ['::1', 6, 1n],
  ['fe80::1', 6, 0xfe80_0000_0000_0000_0000_0000_0000_0001n],
  ['1:2:3:4:5:6:7:8', 6, 0x0001_0002_0003_0004_0005_0006_0007_0008n],
  ['64:ff9b::192.0.2.33', 6, 0x0064_ff9b_0000_0000_0000_0000_c000_0221n],
  ['::ffff:127.0.0.1', 4, 0x7f000001n],
  ['::ffff:7f00:1', 4, 0x7f000001n],
])('parseIpAddress() reads %s', (text, family, value) => {
  expect(parseIpAddress(text)).toEqual({ family, value });
});

test.each([
  '',
  '1',
  '127.1',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '1.2.3.4.5',
  '1.2.3.256',
  ' 1.2.3.4',
  '1.2.3.4 ',
  'fe80::1%eth0',
  ':',
  ':::',
  '1:::2',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:8::',
  '12345::',
  'g::',
  '::1.2.3',
  '1.2.3.4::',
  '[::1]',
  'localhost',
])('parseIpAddress() refuses %j', (text) => {
  expect(parseIpAddress(text)).toBeUndefined();
});

test('parseIpAddress() agrees with Node on what is an address', () => {
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc.stringMatching(/^[0-9a-f:.]{0,20}$/),
  );
  fc.assert(
    fc.property(text, (one) => {
      expect(parseIpAddress(one) !== undefined).toBe(isIP(one) !== 0);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::', '::'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['2001:DB8::0:1', '2001:db8::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:0:2:3:0:0:4', '1::2:3:0:0:4'],
  ['1:2:3:4:5:6:0:8', '1:2:3:4:5:6:0:8'],
  ['fd00:0:0:0:0:0:0:0', 'fd00::'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
])('formatIpAddress() writes %s as %s', (text, expected) => {
  const address = parseIpAddress(text);
  expect(address && formatIpAddress(address)).toBe(expected);
});

test('formatIpAddress() agrees with Node on IPv6 addresses', () => {
  const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), {
    minLength: 8,
    maxLength: 8,
  });
  fc.assert(
    fc.property(groups, (parts) => {
      const text = parts.map((part) => part.toString(16)).join(':');
      const address = parseIpAddress(text);
      fc.pre(address?.family === 6);
      const { hostname } = new URL(`http://[${text}]/`);
      expect(address && `[${formatIpAddress(address)}]`).toBe(hostname);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['10.96.0.1/32', '10.96.0.1', true],
  ['10.96.0.1/32', '10.96.0.2', false],
  ['0.0.0.0/0', '8.8.8.8', true],
  ['0.0.0.0/0', '::1', false],
  ['127.0.0.0/8', '::ffff:127.0.0.9', true],
  ['fe80::/10', 'febf::1', true],
  ['fe80::/10', 'fec0::1', false],
])('isInRange() looks whether %s has %s', (range, address, expected) => {
  const [parsedRange, parsedAddress] = [parseIpRange(range), parseIpAddress(address)];
  expect(parsedRange && parsedAddress && isInRange(parsedAddress, parsedRange)).toBe(expected);
});

test.each([
  '10.0.0.0',
  '10.0.0.0/',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/8/8',
  '/8',
  '10.0.0.0/-1',
  '10.0.0/8',
])('parseIpRange() refuses %j', (text) => expect(parseIpRange(text)).toBeUndefined());
