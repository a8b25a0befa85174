import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rangeSet } from '../testing/range-set.ts';
import { refuseRemoteAddress } from './remote-address.ts';

const numRuns = Number(process.env.FUZZED_PROVIDER_OBJECTS ?? 1_000);
/** Many of them take longer than other tests. */
const timeout = 120_000 + numRuns * 10;

const own = ['10.244.0.0/16', '10.96.0.0/12', '192.168.7.4/32', 'fd00:10::/64'];
const reserved = [
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/3',
  '::/128',
  '::1/128',
  'fe80::/10',
  'ff00::/8',
];

/** Another implementation of ranges; it takes an IPv4-mapped address for the IPv4 address. */
const forbidden = new BlockList();
for (const range of [...own, ...reserved]) {
  const [address = '', prefix] = range.split('/');
  forbidden.addSubnet(address, Number(prefix), isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

const octets = fc.constantFrom(0, 1, 7, 10, 96, 111, 127, 168, 169, 192, 224, 244, 254, 255);
const near = fc.tuple(octets, octets, octets, octets).map((parts) => parts.join('.'));
const inside = (prefix: string) => near.map((ipv4) => `${prefix}${ipv4}`);
const texts = fc.oneof(
  near,
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  inside('::ffff:'),
  inside('::'),
  inside('64:ff9b::'),
  inside('fd00:10::'),
  fc.string({ maxLength: 8 }),
);

const policy = { isReflected: true, own: rangeSet(...own), exempt: rangeSet() };

test('refuseRemoteAddress() accepts nothing but IP addresses outside of the ranges of the consumer', {
  timeout,
}, () => {
  fc.assert(
    fc.property(texts, (text) => {
      if (refuseRemoteAddress(text, policy) !== undefined) return;
      const family = isIP(text);
      expect(family).not.toBe(0);
      expect(forbidden.check(text, family === 4 ? 'ipv4' : 'ipv6')).toBe(false);
      const [, embedded] = /^(?:::|64:ff9b::)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
      if (embedded) expect(forbidden.check(embedded, 'ipv4')).toBe(false);
    }),
    { numRuns, seed: 4 },
  );
});
