import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgeAuthority, forgeIssued } from './forge-issued.ts';

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const validity = { notBeforeMs: Date.now() - 60_000, notAfterMs: Date.now() + 60_000 };
const issuer = { subject: { commonName: 'authority', organization: 'liqo.io' }, key: newKey() };
const subject = { commonName: 'webhook', organization: 'liqo.io' };
const dnsNames = ['liqo-webhook.liqo.svc', 'liqo-webhook.liqo.svc.cluster.local'];

const authority = forgeAuthority({ ...issuer, ...validity });
const key = newKey();
const issued = forgeIssued({ subject, key, issuer, dnsNames, ...validity });
const print = (input: string) =>
  execFileSync('openssl', ['x509', '-noout', '-text', '-purpose'], { input }).toString();

test('forgeIssued() has a server certificate signed by its authority', () => {
  const certificate = new X509Certificate(issued);
  expect(certificate.checkIssued(new X509Certificate(authority))).toBe(true);
  expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(key)).toBe(true);
  expect(certificate.subjectAltName).toBe(dnsNames.map((name) => `DNS:${name}`).join(', '));
  expect(print(issued)).toMatch(/SSL server : Yes\n/);
  expect(print(issued)).toMatch(/SSL server CA : No\n/);
});

test('forgeAuthority() may sign certificates of servers, and no further authority', () => {
  expect(print(authority)).toMatch(/X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
  expect(print(authority)).toMatch(/X509v3 Basic Constraints: critical\s+CA:TRUE, pathlen:0\n/);
  expect(print(authority)).toMatch(/SSL server : No\n/);
});
