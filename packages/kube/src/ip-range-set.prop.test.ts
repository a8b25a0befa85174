import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type IpAddress, type IpRange, isInRange } from './ip-address.ts';
import { IpRangeSet } from './ip-range-set.ts';

/** Few bits differ, so that ranges meet, overlap and contain each other. */
const addresses: fc.Arbitrary<IpAddress> = fc
  .record({ family: fc.constantFrom(4 as const, 6 as const), low: fc.nat(0xff) })
  .map(({ family, low }) => ({ family, value: (10n << 24n) + BigInt(low) }));

const ranges: fc.Arbitrary<IpRange> = fc
  .record({ base: addresses, bits: fc.nat(8) })
  .map(({ base, bits }) => ({ base, prefix: (base.family === 4 ? 32 : 128) - bits }));

test('IpRangeSet has the addresses that are in one of its ranges, and no others', () => {
  fc.assert(
    fc.property(fc.array(ranges, { maxLength: 6 }), addresses, (all, address) => {
      const expected = all.some((range) => isInRange(address, range));
      expect(new IpRangeSet(all).has(address)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test('IpRangeSet equals another one with the same addresses, however they are written', () => {
  fc.assert(
    fc.property(fc.array(ranges, { maxLength: 6 }), fc.array(ranges), (all, others) => {
      const within = others.filter(({ base, prefix }) => {
        return all.some((range) => range.prefix <= prefix && isInRange(base, range));
      });
      const set = new IpRangeSet(all);
      expect(set.equals(new IpRangeSet([...within, ...all.toReversed()]))).toBe(true);
      const more = new IpRangeSet([...all, ...others]);
      const gained = others.some(({ base, prefix }) => !covers(all, { base, prefix }));
      expect(set.equals(more)).toBe(!gained);
    }),
  );
});

function covers(all: readonly IpRange[], { base, prefix }: IpRange): boolean {
  const bits = (base.family === 4 ? 32 : 128) - prefix;
  const first = (base.value >> BigInt(bits)) << BigInt(bits);
  return Array.from({ length: 2 ** bits }, (_, nth) => first + BigInt(nth)).every((value) =>
    all.some((range) => isInRange({ family: base.family, value }, range)),
  );
}
