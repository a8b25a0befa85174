import { expect, test } from 'vitest';
import { embeddedIpv4 } from './embedded-ipv4.ts';
import { formatIpAddress, parseIpAddress } from './ip-address.ts';

test.each([
  ['::10.0.0.1', '10.0.0.1'],
  ['64:ff9b::a9fe:a9fe', '169.254.169.254'],
  ['64:ff9b:0:0:1::1', undefined],
  ['::ffff:0:10.96.0.1', '10.96.0.1'],
  ['2002:a60:1::9', '10.96.0.1'],
  ['2003:a60:1::9', undefined],
  ['2001:db8::1', undefined],
  ['10.0.0.1', undefined],
])('embeddedIpv4() of %s is %s', (text, expected) => {
  const address = parseIpAddress(text);
  const embedded = address && embeddedIpv4(address);
  expect(embedded && formatIpAddress(embedded)).toBe(expected);
});
