import { expect, test } from 'vitest';
import { rangeSet } from '../testing/range-set.ts';
import { refuseRemoteAddress } from './remote-address.ts';

const policy = {
  isReflected: true,
  own: rangeSet('10.244.0.0/16', '10.96.0.0/12', '192.168.7.4/32', 'fd00:10::/64'),
  exempt: rangeSet('10.244.128.0/17'),
};

test.each([
  '10.80.0.3',
  '100.64.0.40',
  '172.16.0.9',
  '8.8.8.8',
  'fd00:20::3',
  '2001:db8::1',
  '64:ff9b::808:808',
  '10.244.200.1',
])('refuseRemoteAddress() accepts %s', (address) =>
  expect(refuseRemoteAddress(address, policy)).toBeUndefined(),
);

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.9.9.9', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['::', 'unspecified'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['::169.254.169.254', 'reserved'],
  ['2002:a9fe:a9fe::1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fd00:ec2::254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['224.0.0.1', 'multicast'],
  ['ff02::1', 'multicast'],
  ['::1.0.0.0', 'reserved'],
  ['fec0::1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['10.244.3.4', 'of this cluster'],
  ['10.96.0.1', 'of this cluster'],
  ['64:ff9b::a60:1', 'of this cluster'],
  ['192.168.7.4', 'of this cluster'],
  ['fd00:10::9', 'of this cluster'],
  ['2130706433', 'not an IP address'],
  ['0x7f.1', 'not an IP address'],
  ['localhost', 'not an IP address'],
  ['10.80.0.3/8', 'not an IP address'],
  ['fe80::1%eth0', 'not an IP address'],
  ['', 'not an IP address'],
])('refuseRemoteAddress() refuses %j: %s', (address, reason) => {
  expect(refuseRemoteAddress(address, policy)).toContain(reason);
});
