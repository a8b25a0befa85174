import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgeSelfSigned } from './forge-self-signed.ts';

const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const subject = { commonName: 'system:node:mynode', organization: 'liqo.io' };
const addresses = ['10.0.0.7', 'fd00::7'];

test('forgeSelfSigned() forges a serving certificate that verifies itself', () => {
  const notBeforeMs = Date.UTC(2030, 0, 1);
  const notAfterMs = Date.UTC(2060, 0, 1);
  const pem = forgeSelfSigned({ subject, key, addresses, notBeforeMs, notAfterMs });
  const certificate = new X509Certificate(pem);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(certificate.subject).toBe('O=liqo.io\nCN=system:node:mynode');
  expect(certificate.issuer).toBe(certificate.subject);
  expect(certificate.checkIP('10.0.0.7')).toBe('10.0.0.7');
  expect(certificate.checkIP('fd00::7')).toBe('fd00::7');
  expect(Date.parse(certificate.validFrom)).toBe(notBeforeMs);
  expect(Date.parse(certificate.validTo)).toBe(notAfterMs);
  expect(BigInt(`0x${certificate.serialNumber}`)).toBeGreaterThan(2n ** 126n);
});

test('forgeSelfSigned() marks the certificate for servers only, as openssl reads it', () => {
  const validity = { notBeforeMs: Date.now() - 60_000, notAfterMs: Date.now() + 60_000 };
  const input = forgeSelfSigned({ subject, key, addresses, ...validity });
  const text = execFileSync('openssl', ['x509', '-noout', '-text', '-purpose'], {
    input,
  }).toString();
  expect(text).toMatch(/X509v3 Key Usage: critical\s+Digital Signature\n/);
  expect(text).toMatch(/X509v3 Extended Key Usage:\s+TLS Web Server Authentication\n/);
  expect(text).toMatch(/SSL server : Yes/);
  expect(text).toMatch(/SSL client : No/);
});
