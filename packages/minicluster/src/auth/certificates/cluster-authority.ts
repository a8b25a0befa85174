import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import type { Clock } from '@liqo/kube';
import {
  type AlternativeNames,
  alternativeNamesOf,
  encodeAlternativeNames,
  noAlternativeNames,
} from './alternative-names.ts';
import type { CertificateRequest } from './certificate-request.ts';
import { type DistinguishedName, encodeName, nameOf } from './distinguished-name.ts';
import {
  authorityKeyIdentifier,
  basicConstraints,
  type ExtendedKeyUsage,
  extendedKeyUsage,
  type KeyUsage,
  keyIdOf,
  keyUsage,
  subjectAltName,
  subjectKeyIdentifier,
} from './extensions.ts';
import { signCertificate } from './sign-certificate.ts';

/** A certificate and its private key, both as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

interface SigningPolicy {
  readonly usages: readonly KeyUsage[];
  readonly extendedUsages: readonly ExtendedKeyUsage[];
  readonly lifetimeMs: number;
}

const yearMs = 365 * 24 * 3600 * 1000;
const authorityLifetimeMs = 10 * yearMs;
/** Certificates are valid from a little earlier on, for clocks that are behind. */
const backdateMs = 5 * 60 * 1000;
/** Shorter ones than this end when they were asked to; longer ones are as much earlier over as they began earlier. */
const shortLifetimeMs = 8 * 3600 * 1000;

/** What makes an authority the one it is. */
export interface AuthorityIdentity {
  readonly privateKey: KeyObject;
  readonly name: Buffer;
  readonly keyId: Buffer;
  readonly notAfterMs: number;
  readonly certificate: string;
  readonly parsed: X509Certificate;
}

/**
 * The certificate authority of a cluster: its API server, its users and, through CertificateSigningRequests, its
 * kubelets have their certificates from it. Validity follows the clock of the cluster, which may be a virtual one.
 */
export class ClusterAuthority {
  /** As PEM: what clients trust, and what `kube-root-ca.crt` contains. */
  readonly certificate: string;
  readonly parsed: X509Certificate;
  /** For an authority on another clock to be the same one. */
  readonly identity: AuthorityIdentity;
  readonly #clock: Clock;

  /** A new one unless its identity is given. */
  constructor(clock: Clock, identity: AuthorityIdentity = createIdentity(clock)) {
    this.#clock = clock;
    this.identity = identity;
    this.certificate = identity.certificate;
    this.parsed = identity.parsed;
  }

  /** For a user of Kubernetes, by user name and groups. */
  issueClient(user: { readonly name: string; readonly groups: readonly string[] }): KeyPair {
    return this.#issue(nameOf(user.name, user.groups), noAlternativeNames, 'client auth');
  }

  /** For a server that is reached by any of these host names and addresses. */
  issueServer(name: string, hosts: readonly string[]): KeyPair {
    return this.#issue(nameOf(name), alternativeNamesOf(hosts), 'server auth');
  }

  /** The certificate that a request asks for, as PEM. Whether it may have it is for the caller to decide. */
  sign(request: CertificateRequest, { usages, extendedUsages, lifetimeMs }: SigningPolicy): string {
    const nowMs = this.#clock.now();
    const { name, keyId, notAfterMs, privateKey } = this.identity;
    const lateMs = lifetimeMs < shortLifetimeMs ? 0 : backdateMs;
    const names = encodeAlternativeNames(request.alternativeNames);
    const content = {
      subject: encodeName(request.subject),
      issuer: name,
      publicKeyInfo: request.publicKeyInfo,
      notBeforeMs: nowMs - backdateMs,
      notAfterMs: Math.min(nowMs + lifetimeMs - lateMs, notAfterMs),
      extensions: [
        ...(usages.length > 0 ? [keyUsage(usages)] : []),
        extendedKeyUsage(extendedUsages),
        basicConstraints(false),
        authorityKeyIdentifier(keyId),
        ...(names.length > 0 ? [subjectAltName(names, request.subject.size === 0)] : []),
      ],
    };
    return signCertificate(content, privateKey);
  }

  #issue(
    subject: DistinguishedName,
    alternativeNames: AlternativeNames,
    purpose: ExtendedKeyUsage,
  ): KeyPair {
    const { privateKey, publicKey } = createKeys();
    const request = { subject, alternativeNames, publicKeyInfo: encodeKey(publicKey) };
    const usages = ['digital signature'] as const;
    const policy = { usages, extendedUsages: [purpose], lifetimeMs: yearMs };
    return {
      certificate: this.sign(request, policy),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }
}

function createIdentity(clock: Clock): AuthorityIdentity {
  const { privateKey, publicKey } = createKeys();
  const publicKeyInfo = encodeKey(publicKey);
  const name = encodeName(nameOf('kubernetes'));
  const keyId = keyIdOf(publicKeyInfo);
  const nowMs = clock.now();
  const notAfterMs = nowMs + authorityLifetimeMs;
  const content = {
    subject: name,
    issuer: name,
    publicKeyInfo,
    notBeforeMs: nowMs - backdateMs,
    notAfterMs,
    extensions: [
      keyUsage(['digital signature', 'cert sign', 'crl sign']),
      basicConstraints(true),
      subjectKeyIdentifier(keyId),
    ],
  };
  const certificate = signCertificate(content, privateKey);
  const parsed = new X509Certificate(certificate);
  return { privateKey, name, keyId, notAfterMs, certificate, parsed };
}

function createKeys(): { privateKey: KeyObject; publicKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function encodeKey(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}
