import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonName,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { beforeAll, describe, expect, test } from 'vitest';
import { judgeCertificate } from './certificate-caller.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const validity = { notBefore: new Date('2030-01-01'), notAfter: new Date('2031-01-01') };
const nowMs = Date.UTC(2030, 6, 1);

interface Issuer {
  readonly certificate: X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

interface Wanted {
  readonly name: JsonName;
  readonly isAuthority?: boolean;
  readonly usages?: readonly ExtendedKeyUsage[];
}

/** Signed by itself when nobody is named. */
async function issue(wanted: Wanted, by?: Issuer): Promise<Issuer> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const signer = by ?? { keys, certificate: undefined };
  const issuer = signer.certificate?.subject.replaceAll('\n', ', ');
  const made = await X509CertificateGenerator.create({
    subject: wanted.name,
    issuer: issuer ?? wanted.name,
    publicKey: keys.publicKey,
    signingKey: signer.keys.privateKey,
    signingAlgorithm: algorithm,
    ...validity,
    extensions: [
      new BasicConstraintsExtension(wanted.isAuthority ?? false),
      ...(wanted.usages ? [new ExtendedKeyUsageExtension([...wanted.usages])] : []),
    ],
  });
  return { keys, certificate: new X509Certificate(made.toString('pem')) };
}

const clientUsages = [ExtendedKeyUsage.clientAuth];

describe('judgeCertificate()', () => {
  let authority: Issuer;

  beforeAll(async () => {
    authority = await issue({ name: [{ CN: ['kubernetes'] }], isAuthority: true });
  });

  const judge = async (wanted: Wanted, atMs = nowMs) => {
    const { certificate } = await issue(wanted, authority);
    return judgeCertificate(certificate, [authority.certificate], atMs);
  };

  test('knows a user by the common name, and the groups by the organizations', async () => {
    const name = [{ O: ['team'] }, { O: ['other team'] }, { CN: ['jane'] }];
    expect(await judge({ name, usages: clientUsages })).toEqual({
      caller: {
        name: 'jane',
        groups: ['team', 'other team', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': [
            expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/),
          ],
        },
      },
    });
  });

  test('takes a certificate without usages for one for everything, as API servers do', async () => {
    expect(await judge({ name: [{ CN: ['jane'] }] })).toHaveProperty('caller');
  });

  test.each<[string, Wanted, string]>([
    ['no common name', { name: [{ O: ['team'] }] }, 'exactly one common name'],
    ['two common names', { name: [{ CN: ['a'] }, { CN: ['b'] }] }, 'exactly one common name'],
    [
      'other usages',
      { name: [{ CN: ['jane'] }], usages: [ExtendedKeyUsage.serverAuth] },
      'not for clients',
    ],
  ])('does not believe a certificate with %s', async (_, wanted, fault) => {
    expect(await judge(wanted)).toEqual({ fault: expect.stringContaining(fault) });
  });

  test.each([
    ['before', Date.UTC(2029, 11, 31)],
    ['after', Date.UTC(2031, 0, 2)],
  ])('does not believe a certificate %s its time', async (_, atMs) => {
    const verdict = await judge({ name: [{ CN: ['jane'] }] }, atMs);
    expect(verdict).toEqual({ fault: expect.stringContaining('not valid at this time') });
  });

  test('does not believe what somebody signed who is no authority', async () => {
    const jane = await issue({ name: [{ CN: ['jane'] }], usages: clientUsages }, authority);
    const root = await issue({ name: [{ CN: ['root'] }], usages: clientUsages }, jane);
    const fault = 'it was not issued by the client CA of this cluster';
    const { certificate } = root;
    expect(judgeCertificate(certificate, [authority.certificate], nowMs)).toEqual({ fault });
    expect(judgeCertificate(certificate, [jane.certificate], nowMs)).toEqual({ fault });
    expect(judgeCertificate(certificate, [], nowMs)).toEqual({ fault });
  });

  test('knows any of several authorities', async () => {
    const other = await issue({ name: [{ CN: ['kubernetes'] }], isAuthority: true });
    const { certificate } = await issue({ name: [{ CN: ['jane'] }] }, other);
    const both = [authority.certificate, other.certificate];
    expect(judgeCertificate(certificate, both, nowMs)).toHaveProperty('caller');
  });
});
