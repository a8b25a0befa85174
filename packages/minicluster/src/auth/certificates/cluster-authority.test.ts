import { X509Certificate } from 'node:crypto';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { ClusterAuthority } from './cluster-authority.ts';

const clock = new VirtualClock({ startMs: Date.UTC(2040, 0, 1) });
const authority = new ClusterAuthority(clock);

const issue = (hosts: readonly string[]) =>
  new X509Certificate(authority.issueServer('kube-apiserver', hosts).certificate);

test('the authority signs its own certificate, and may sign others', () => {
  const { parsed } = authority;
  expect(parsed.ca).toBe(true);
  expect(parsed.subject).toBe('CN=kubernetes');
  expect(parsed.checkIssued(parsed) && parsed.verify(parsed.publicKey)).toBe(true);
});

test('issueServer() makes a certificate for its host names and addresses alone', () => {
  const server = issue([
    'kubernetes.default.svc',
    '127.0.0.1',
    '::1',
    'fd00:1::2',
    '::ffff:10.0.0.1',
  ]);
  expect(server.checkIssued(authority.parsed)).toBe(true);
  expect(server.verify(authority.parsed.publicKey)).toBe(true);
  expect(server.checkHost('kubernetes.default.svc')).toBe('kubernetes.default.svc');
  expect(server.checkHost('kubernetes')).toBeUndefined();
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(server.checkIP('::1')).toBe('::1');
  expect(server.checkIP('fd00:1::2')).toBe('fd00:1::2');
  expect(server.checkIP('::ffff:10.0.0.1')).toBe('::ffff:10.0.0.1');
  expect(server.checkIP('10.0.0.2')).toBeUndefined();
  expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
});

test('issueClient() makes a certificate whose private key comes with it', () => {
  const { certificate, privateKey } = authority.issueClient({ name: 'jane', groups: ['team'] });
  const parsed = new X509Certificate(certificate);
  expect(parsed.subject).toBe('O=team\nCN=jane');
  expect(parsed.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(privateKey).toContain('BEGIN PRIVATE KEY');
  expect(parsed.ca).toBe(false);
});

test('certificates are valid for a year of the clock, from five minutes ago', () => {
  const { validFrom, validTo } = issue(['localhost']);
  expect(Date.parse(validFrom)).toBe(Date.UTC(2039, 11, 31, 23, 55));
  expect(Date.parse(validTo)).toBe(Date.UTC(2040, 11, 30, 23, 55));
});

test('a certificate does not outlive the authority', async () => {
  const aging = new VirtualClock();
  const old = new ClusterAuthority(aging);
  await aging.advance(9.5 * 365 * 24 * 3600 * 1000);
  const { certificate } = old.issueClient({ name: 'jane', groups: [] });
  expect(new X509Certificate(certificate).validTo).toBe(old.parsed.validTo);
});

test('every certificate has a number of its own', () => {
  const numbers = new Set(Array.from({ length: 20 }, () => issue([]).serialNumber));
  expect(numbers.size).toBe(20);
});
