import { expect, test } from 'vitest';
import { type HandshakeFacts, judgeHandshake } from './judge-handshake.ts';

const signed: HandshakeFacts = {
  key: { weakness: undefined },
  isAuthenticated: false,
  nonce: 'valid',
  isNonceSigned: true,
};

test.each([
  ['a Tenant that has signed the nonce', {}],
  ['a Tenant that has a certificate, without a nonce', { isAuthenticated: true, nonce: 'missing' }],
  [
    'a Tenant that has a certificate, with an old signature',
    { isAuthenticated: true, nonce: 'expired', isNonceSigned: false },
  ],
] as const)('judgeHandshake() accepts %s', (_, facts) => {
  expect(judgeHandshake({ ...signed, ...facts })).toEqual({ type: 'accept' });
});

test.each([
  ['a key that cannot be read', { key: undefined }, 'refuse', 'InvalidPublicKey'],
  ['a weak key', { key: { weakness: 'too short' } }, 'refuse', 'InvalidPublicKey'],
  [
    'a weak key that has a certificate',
    { key: { weakness: 'too short' }, isAuthenticated: true },
    'refuse',
    'InvalidPublicKey',
  ],
  ['no nonce', { nonce: 'missing', isNonceSigned: false }, 'wait', 'NonceNotFound'],
  ['another signature', { isNonceSigned: false }, 'refuse', 'SignatureVerificationFailed'],
  ['an expired nonce', { nonce: 'expired' }, 'refuse', 'SignatureVerificationFailed'],
] as const)('judgeHandshake() does not accept %s', (_, facts, type, reason) => {
  expect(judgeHandshake({ ...signed, ...facts })).toMatchObject({ type, reason });
});
