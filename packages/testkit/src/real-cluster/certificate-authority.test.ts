import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCertificateAuthority, type KeyPair } from './certificate-authority.ts';

function parse(pair: KeyPair): X509Certificate {
  const certificate = new X509Certificate(pair.certificate);
  expect(certificate.checkPrivateKey(createPrivateKey(pair.privateKey))).toBe(true);
  return certificate;
}

const clientPurpose = '1.3.6.1.5.5.7.3.2';
const serverPurpose = '1.3.6.1.5.5.7.3.1';

test('createCertificateAuthority() gives an authority that signed itself', async () => {
  const ca = parse(await createCertificateAuthority('kubernetes'));
  expect(ca.ca).toBe(true);
  expect(ca.subject).toBe('CN=kubernetes');
  expect(ca.verify(ca.publicKey)).toBe(true);
});

test('issueClient() puts the user into the common name and every group into an organisation', async () => {
  const authority = await createCertificateAuthority('kubernetes');
  const client = parse(
    await authority.issueClient({ name: 'system:node:a,b', groups: ['system:nodes', 'x=y'] }),
  );
  expect(client.subject.split('\n')).toEqual(['CN=system:node:a\\,b', 'O=system:nodes', 'O=x=y']);
  expect(client.keyUsage).toEqual([clientPurpose]);
  expect(client.ca).toBe(false);
  expect(client.checkIssued(parse(authority))).toBe(true);
  expect(client.verify(parse(authority).publicKey)).toBe(true);
});

test('issueServer() covers host names and addresses, and no others', async () => {
  const authority = await createCertificateAuthority('kubernetes');
  const server = parse(await authority.issueServer('api', ['localhost', '127.0.0.1', '::1']));
  expect(server.keyUsage).toEqual([serverPurpose]);
  expect(server.checkHost('localhost')).toBe('localhost');
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(server.checkIP('::1')).toBe('::1');
  expect(server.checkHost('example.org')).toBeUndefined();
});

test('Certificates are valid for somebody whose clock is behind', async () => {
  const authority = await createCertificateAuthority('kubernetes');
  const client = await authority.issueClient({ name: 'admin', groups: [] });
  const server = await authority.issueServer('api', ['localhost']);
  for (const pair of [authority, client, server]) {
    expect(Date.parse(parse(pair).validFrom)).toBeLessThan(Date.now() - 60_000);
  }
});

test('issueClient() gives a certificate that has expired, when asked for one', async () => {
  const authority = await createCertificateAuthority('kubernetes');
  const expires = new Date('2020-01-01T00:00:00Z');
  const client = parse(await authority.issueClient({ name: 'late', groups: [], expires }));
  expect(Date.parse(client.validTo)).toBe(expires.getTime());
  expect(Date.parse(client.validFrom)).toBeLessThan(expires.getTime());
  expect(client.verify(parse(authority).publicKey)).toBe(true);
});

test('Two authorities do not vouch for each other', async () => {
  const one = await createCertificateAuthority('kubernetes');
  const other = await createCertificateAuthority('kubernetes');
  const client = parse(await one.issueClient({ name: 'admin', groups: [] }));
  expect(client.verify(parse(other).publicKey)).toBe(false);
});
