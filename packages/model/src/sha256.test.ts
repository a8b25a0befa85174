import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

test.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('sha256() of "%s" is that of the standard', (text, digest) => {
  expect(sha256(text)).toBe(digest);
});

test.each([55, 56, 63, 64, 65, 119, 120, 1000])(
  'sha256() pads a message of %i bytes as the standard says',
  (length) => {
    const text = 'x'.repeat(length);
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  },
);

test('sha256() gives what the platform gives, for any text', () => {
  const texts = fc
    .array(fc.nat({ max: 0xd7ff }), { maxLength: 200 })
    .map((codePoints) => String.fromCodePoint(...codePoints));
  fc.assert(
    fc.property(texts, (text) => {
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    }),
  );
});
