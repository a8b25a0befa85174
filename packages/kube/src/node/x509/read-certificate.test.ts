import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forgeSelfSigned } from './forge-self-signed.ts';
import { readCertificate } from './read-certificate.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const notBeforeMs = Date.parse('2026-11-18T20:00:00Z');
const notAfterMs = Date.parse('2060-01-01T00:00:00Z');
const subject = { commonName: 'rome', organization: 'liqo.io' };
const forge = (name = subject) =>
  forgeSelfSigned({
    subject: name,
    key: privateKey,
    addresses: ['10.0.0.7'],
    notBeforeMs,
    notAfterMs,
  });

test('readCertificate() reads subject, key and validity', () => {
  const facts = readCertificate(forge());
  expect(facts).toMatchObject({ subject: [['O=liqo.io'], ['CN=rome']], notBeforeMs, notAfterMs });
  expect(Buffer.from(facts?.publicKey ?? [])).toEqual(
    publicKey.export({ format: 'der', type: 'spki' }),
  );
});

test('readCertificate() reads a name that looks like several ones as one', () => {
  const commonName = 'rome\nO=other + OU=x, CN=y';
  expect(readCertificate(forge({ ...subject, commonName }))?.subject).toEqual([
    ['O=liqo.io'],
    [`CN=${commonName}`],
  ]);
});

test('readCertificate() reads the first of a chain', () => {
  const other = forge({ commonName: 'authority', organization: 'x' });
  expect(readCertificate(forge() + other)?.subject).toEqual([['O=liqo.io'], ['CN=rome']]);
});

test.each([
  '',
  'rome',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  'x'.repeat(70_000),
])('readCertificate() reads nothing from %.40j', (text) =>
  expect(readCertificate(text)).toBeUndefined(),
);

test('readCertificate() never throws', () => {
  const good = Buffer.from(forge());
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
      const bytes = Buffer.from(good);
      bytes.writeUInt8(byte, at);
      readCertificate(bytes.toString('latin1'));
    }),
    { numRuns: 500 },
  );
});
