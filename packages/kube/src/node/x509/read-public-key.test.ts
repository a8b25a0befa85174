import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readPublicKey, readPublicKeyInfo } from './read-public-key.ts';
import { hasSigned } from './signatures.ts';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const rsa = (modulusLength: number): Pair => generateKeyPairSync('rsa', { modulusLength });
const ec = (namedCurve: string): Pair => generateKeyPairSync('ec', { namedCurve });
const pairs: Record<string, Pair> = {
  Ed25519: generateKeyPairSync('ed25519'),
  'RSA-2048': rsa(2048),
  'P-256': ec('P-256'),
  'P-384': ec('P-384'),
};
const cases = Object.entries(pairs);
const infoOf = ({ publicKey }: Pair) => publicKey.export({ format: 'der', type: 'spki' });
const pemOf = ({ publicKey }: Pair) =>
  Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }));

describe('readPublicKey()', () => {
  test.each(cases)('reads a PEM block with a key of type %s', (_, pair) => {
    expect(readPublicKey(pemOf(pair))).toEqual({ info: infoOf(pair), weakness: undefined });
  });

  test('reads 32 bare bytes as an Ed25519 key', () => {
    const pair = pairs.Ed25519 as Pair;
    expect(readPublicKey(infoOf(pair).subarray(-32))?.info).toEqual(infoOf(pair));
  });

  test.each([
    ['an RSA key of 1,024 bits', rsa(1024), 'an RSA key has at least 2048 bits, and this one 1024'],
    ['an unusual curve', ec('secp256k1'), 'the curve "secp256k1" is not known'],
    [
      'a key that cannot sign',
      generateKeyPairSync('x25519'),
      'a key of type "x25519" is not accepted',
    ],
  ])('says why %s is refused', (_, pair, weakness) => {
    expect(readPublicKey(pemOf(pair))?.weakness).toBe(weakness);
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['31 bytes', Buffer.alloc(31)],
    ['two keys', Buffer.concat([pemOf(pairs.Ed25519 as Pair), pemOf(pairs.Ed25519 as Pair)])],
    ['a private key', pairs.Ed25519?.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string],
    ['megabytes', Buffer.alloc(2_000_000)],
  ])('reads nothing from %s', (_, bytes) => {
    expect(readPublicKey(Buffer.from(bytes))).toBeUndefined();
  });

  test('gives equal bytes for a key and the same key in a request', () => {
    const info = infoOf(pairs['P-256'] as Pair);
    expect(readPublicKeyInfo(info)?.info).toEqual(info);
    expect(readPublicKeyInfo(Buffer.from('key'))).toBeUndefined();
  });
});

describe('hasSigned()', () => {
  const message = Buffer.from('once');
  const schemeOf = ({ privateKey }: Pair) =>
    privateKey.asymmetricKeyType === 'ed25519' ? undefined : 'sha256';

  test.each(cases)('accepts what a key of type %s has signed, and nothing else', (_, pair) => {
    const signature = sign(schemeOf(pair), message, pair.privateKey);
    expect(hasSigned(infoOf(pair), message, signature)).toBe(true);
    expect(hasSigned(infoOf(pair), Buffer.from('twice'), signature)).toBe(false);
    expect(hasSigned(infoOf(pair), message, signature.subarray(1))).toBe(false);
    expect(hasSigned(infoOf(pair), message, Buffer.alloc(0))).toBe(false);
    for (const [, other] of cases.filter(([, { publicKey }]) => publicKey !== pair.publicKey)) {
      expect(hasSigned(infoOf(other), message, signature)).toBe(false);
    }
  });

  test('accepts no other hash than SHA-256', () => {
    const pair = pairs['P-384'] as Pair;
    const signature = sign('sha384', message, pair.privateKey);
    expect(hasSigned(infoOf(pair), message, signature)).toBe(false);
  });

  test('accepts nothing for a key that cannot be read', () => {
    expect(hasSigned(Buffer.from('key'), message, Buffer.alloc(64))).toBe(false);
  });
});
