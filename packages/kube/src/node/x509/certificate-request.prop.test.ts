import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forgeCertificateRequest } from './forge-certificate-request.ts';
import { readCertificateRequest } from './read-certificate-request.ts';

const { privateKey: key } = generateKeyPairSync('ed25519');
const good = forgeCertificateRequest({
  subject: { commonName: 'rome', organization: 'liqo.io' },
  key,
  addresses: ['10.0.0.7'],
});
const der = Buffer.from(good.replaceAll(/-.*-|\n/g, ''), 'base64');

const edits = fc.array(
  fc.tuple(fc.nat(der.length - 1), fc.integer({ min: 0, max: 255 }), fc.boolean()),
  { minLength: 1, maxLength: 4 },
);

function print(bytes: Uint8Array): string {
  const base64 = Buffer.from(bytes).toString('base64');
  return `-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`;
}

test('readCertificateRequest() finds no valid signature on other bytes, and never throws', () => {
  fc.assert(
    fc.property(edits, (changes) => {
      const bytes = [...der];
      for (const [at, byte, inserts] of changes) bytes.splice(at, inserts ? 0 : 1, byte);
      const isSame = Buffer.from(bytes).equals(der);
      expect(readCertificateRequest(print(Buffer.from(bytes)))?.hasValidSignature ?? false).toBe(
        isSame,
      );
    }),
    { numRuns: 3_000, seed: 1 },
  );
});

test('readCertificateRequest() never throws on any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 600 }).map(print)), (text) => {
      readCertificateRequest(text);
    }),
    { numRuns: 3_000, seed: 1 },
  );
});

test('a forged name is read as it was written', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(name, name, (commonName, organization) => {
      const request = forgeCertificateRequest({ subject: { commonName, organization }, key });
      const content = readCertificateRequest(request);
      expect(content?.subject).toEqual([[`O=${organization}`], [`CN=${commonName}`]]);
      expect(content?.hasValidSignature).toBe(true);
    }),
    { numRuns: 300, seed: 1 },
  );
});
