import { expect, test } from 'vitest';
import { peekClaims, SigningKey } from './signing-key.ts';

const key = new SigningKey();

test('sign() makes a token with its claims, and the key that signed it', () => {
  const token = key.sign({ sub: 'jane' });
  expect(peekClaims(token)).toEqual({ sub: 'jane' });
  const [header = ''] = token.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    alg: 'ES256',
    kid: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(key.faultOf(token)).toBeUndefined();
});

test('faultOf() finds another key, other claims and another signature', () => {
  const token = key.sign({ sub: 'jane' });
  const [header, claims, signature] = token.split('.');
  const forged = Buffer.from(JSON.stringify({ sub: 'john' })).toString('base64url');
  const primitive = 'go-jose/go-jose: error in cryptographic primitive';
  expect(new SigningKey().faultOf(token)).toBe('invalid signature, no keys found');
  expect(key.faultOf(`${header}.${forged}.${signature}`)).toBe(primitive);
  expect(key.faultOf(`${header}.${claims}.${signature?.slice(1)}`)).toBe(primitive);
  expect(key.faultOf(`${header}.${claims}.`)).toBe(primitive);
});

test('faultOf() does not let a token choose not to be signed', () => {
  const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  const [, claims] = key.sign({ sub: 'jane' }).split('.');
  expect(key.faultOf(`${none}.${claims}.`)).toBeDefined();
});

test.each(['', 'a', 'a.b', 'a.b.c', 'a.b.c.d', 'e30.bnVsbA.e30'])(
  'peekClaims() finds no claims in "%s"',
  (token) => {
    expect(peekClaims(token)).toBeUndefined();
  },
);
