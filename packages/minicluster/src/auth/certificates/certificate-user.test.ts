import { X509Certificate } from 'node:crypto';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { userOfCertificate } from './certificate-user.ts';
import { ClusterAuthority } from './cluster-authority.ts';

const clock = new VirtualClock();
const authority = new ClusterAuthority(clock);
const dayMs = 24 * 3600 * 1000;

const userOf = (pem: string, atMs = clock.now()) =>
  userOfCertificate(new X509Certificate(pem), authority, atMs);

test('userOfCertificate() is the common name, with the organizations as groups', () => {
  const { certificate } = authority.issueClient({ name: 'jané', groups: ['b', 'a'] });
  const digest = new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
  expect(userOf(certificate)).toEqual({
    name: 'jané',
    groups: ['a', 'b'],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${digest}`] },
  });
});

test('userOfCertificate() is nobody before and after the validity of a certificate', () => {
  const { certificate } = authority.issueClient({ name: 'jane', groups: [] });
  expect(userOf(certificate, clock.now() - dayMs)).toBeUndefined();
  expect(userOf(certificate, clock.now() + 364 * dayMs)).toBeDefined();
  expect(userOf(certificate, clock.now() + 366 * dayMs)).toBeUndefined();
});

test('userOfCertificate() is nobody for a certificate of another authority of the same name', () => {
  const other = new ClusterAuthority(clock);
  expect(userOf(other.issueClient({ name: 'jane', groups: [] }).certificate)).toBeUndefined();
});

test('userOfCertificate() is nobody for the certificate of a server', () => {
  expect(userOf(authority.issueServer('jane', ['localhost']).certificate)).toBeUndefined();
});

test('userOfCertificate() is nobody for a certificate without a name', () => {
  expect(userOf(authority.issueClient({ name: '', groups: ['team'] }).certificate)).toBeUndefined();
});
