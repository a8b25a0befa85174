import fc from 'fast-check';
import { test } from 'vitest';
import { childrenOf, DerError, decode, decodeObjectIdentifier, objectIdentifier } from './der.ts';

test('decodeObjectIdentifier() undoes objectIdentifier()', () => {
  const arcs = fc.array(fc.nat(), { minLength: 1, maxLength: 8 });
  const dotted = fc
    .tuple(fc.constantFrom(0, 1, 2), fc.nat(39), arcs)
    .map(([first, second, rest]) => [first, second, ...rest].join('.'));
  fc.assert(
    fc.property(dotted, (id) => decodeObjectIdentifier(decode(objectIdentifier(id))) === id),
  );
});

test('decode() and childrenOf() read any bytes, or refuse them, and nothing worse', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      try {
        childrenOf(decode(Buffer.from(bytes)));
      } catch (error) {
        if (!(error instanceof DerError)) throw error;
      }
    }),
  );
});
