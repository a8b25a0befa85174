import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNonce } from './nonce.ts';

const good = randomBytes(64).toString('base64');

test.each([
  ['the base64 of 64 bytes', good, true],
  ['the base64 of 63 bytes', randomBytes(63).toString('base64'), false],
  ['the base64 of 65 bytes', randomBytes(65).toString('base64'), false],
  ['base64 for URLs', `${good.slice(0, 40)}-_${good.slice(42)}`, false],
  ['base64 without padding', good.slice(0, 86), false],
  ['a line break at the end', `${good}\n`, false],
  ['a line break inside', `${good.slice(0, 64)}\n${good.slice(64)}`, false],
  ['bits after the last byte', `${'A'.repeat(85)}B==`, false],
  ['nothing', '', false],
  ['the bytes of a certificate request', 'MIG', false],
])('isNonce() judges %s', (_, text, expected) => {
  expect(isNonce(text)).toBe(expected);
});

test('isNonce() takes every base64 of 64 bytes and nothing that Node writes otherwise', () => {
  const bytes = fc.uint8Array({ minLength: 0, maxLength: 96 });
  fc.assert(
    fc.property(bytes, (value) => {
      expect(isNonce(Buffer.from(value).toString('base64'))).toBe(value.length === 64);
    }),
  );
  fc.assert(
    fc.property(fc.string({ minLength: 80, maxLength: 96, unit: 'binary' }), (text) => {
      if (isNonce(text)) expect(Buffer.from(text, 'base64').toString('base64')).toBe(text);
    }),
  );
});
