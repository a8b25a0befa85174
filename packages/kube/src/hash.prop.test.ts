import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fnv1a64 } from './hash.ts';

test('fnv1a64() agrees with the definition in bigints', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      let hash = 0xcbf29ce484222325n;
      for (const byte of new TextEncoder().encode(text)) {
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
      }
      expect(fnv1a64(text)).toBe(hash);
    }),
  );
});
