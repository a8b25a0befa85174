import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate and its private key, both as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** Who a client certificate makes its owner, in Kubernetes' words. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** When the certificate expires, which may be long ago; in a year when absent. */
  readonly expires?: Date;
}

/** Certificates are valid for a year, and have been for a while: not every clock is as far as ours. */
export interface CertificateAuthority extends KeyPair {
  issueClient(user: User): Promise<KeyPair>;
  /** For a server that is reached by any of these host names and addresses. */
  issueServer(name: string, hosts: readonly string[]): Promise<KeyPair>;
}

interface Issuer {
  readonly certificate: X509Certificate;
  readonly signingKey: webcrypto.CryptoKey;
}

const backdateMs = 5 * 60_000;
const lifeMs = 365 * 24 * 3_600_000;

/**
 * Of an authority, as kubeadm has it: an API server checks its signature again with every request of everybody who shows
 * a certificate, and this one in a third of the time.
 */
const signing = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
};
/** Of everybody else: made in no time. */
const ordinary = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export async function createCertificateAuthority(name: string): Promise<CertificateAuthority> {
  const keys = await createKeys(signing);
  const { digitalSignature, keyCertSign, cRLSign } = KeyUsageFlags;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    keys,
    ...validity(),
    signingAlgorithm: signing,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(digitalSignature | keyCertSign | cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const issuer = { certificate, signingKey: keys.privateKey };
  return {
    certificate: certificate.toString('pem'),
    privateKey: await printKey(keys.privateKey),
    issueClient: (user) => issueClient(issuer, user),
    issueServer: (server, hosts) => issueServer(issuer, server, hosts),
  };
}

function issueClient(issuer: Issuer, user: User): Promise<KeyPair> {
  const groups = user.groups.map((group) => ({ O: [group] }));
  const purpose = new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]);
  const subject = [{ CN: [user.name] }, ...groups];
  return issue(issuer, { subject, extensions: [purpose], expires: user.expires });
}

function issueServer(issuer: Issuer, name: string, hosts: readonly string[]): Promise<KeyPair> {
  const purpose = new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]);
  const names = hosts.map((host) => ({ type: isIP(host) ? 'ip' : 'dns', value: host }) as const);
  const extensions = [purpose, new SubjectAlternativeNameExtension(names)];
  return issue(issuer, { subject: [{ CN: [name] }], extensions });
}

interface Application {
  readonly subject: JsonName;
  readonly extensions: readonly Extension[];
  readonly expires?: Date | undefined;
}

async function issue(issuer: Issuer, wanted: Application): Promise<KeyPair> {
  const keys = await createKeys(ordinary);
  const certificate = await X509CertificateGenerator.create({
    subject: wanted.subject,
    issuer: issuer.certificate.subjectName,
    ...validity(wanted.expires),
    publicKey: keys.publicKey,
    signingKey: issuer.signingKey,
    signingAlgorithm: signing,
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      await AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey),
      ...wanted.extensions,
    ],
  });
  return { certificate: certificate.toString('pem'), privateKey: await printKey(keys.privateKey) };
}

function validity(expires?: Date): { readonly notBefore: Date; readonly notAfter: Date } {
  const fromMs = Math.min(Date.now(), expires?.getTime() ?? Number.POSITIVE_INFINITY) - backdateMs;
  return { notBefore: new Date(fromMs), notAfter: expires ?? new Date(fromMs + lifeMs) };
}

function createKeys(algorithm: typeof signing | typeof ordinary): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function printKey(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
