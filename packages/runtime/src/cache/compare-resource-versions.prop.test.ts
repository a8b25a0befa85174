import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareResourceVersions } from './compare-resource-versions.ts';

const versions = fc.bigInt({ min: 1n, max: 2n ** 128n });
const nearVersions = fc.tuple(versions, fc.bigInt({ min: 0n, max: 12n }));

test('compareResourceVersions() orders as numbers of any size are ordered', () => {
  fc.assert(
    fc.property(nearVersions, ([low, distance]) => {
      const high = low + distance;
      expect(Math.sign(compareResourceVersions(`${high}`, `${low}`) ?? Number.NaN)).toBe(
        distance === 0n ? 0 : 1,
      );
    }),
  );
});

test('compareResourceVersions() gives the opposite answer to the opposite question', () => {
  const texts = fc.oneof(versions.map(String), fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const [there, back] = [compareResourceVersions(a, b), compareResourceVersions(b, a)];
      expect(there === undefined).toBe(back === undefined);
      expect(Math.sign(there ?? 0) + Math.sign(back ?? 0)).toBe(0);
    }),
  );
});
