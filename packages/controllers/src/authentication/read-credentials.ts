import { type KeyObject, X509Certificate } from 'node:crypto';
import {
  type AuthParams,
  type ClientCertificate,
  type CredentialFacts,
  longestParams,
} from '@liqo/model';

/** What can be read of credentials that a provider gave. Never throws. */
export function readCredentials(
  params: AuthParams | undefined,
  privateKey: KeyObject,
): CredentialFacts {
  const { ca, signedCRT } = params ?? {};
  const [leaf] = certificatesIn(decode(signedCRT, longestParams.signedCRT)) ?? [];
  const authority = decode(ca, longestParams.ca);
  return {
    params,
    certificate: leaf && readCertificate(leaf, privateKey),
    // As in every bundle, there may be other text around the certificates.
    isAuthorityReadable: certificatesIn(authority.match(blocks)?.join('\n')) !== undefined,
  };
}

const blocks = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Empty for a text that is too long, or that a reader stricter than Node would not take for base64. */
function decode(base64: string | undefined, most: number): string {
  if (!base64 || base64.length > most) return '';
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes.toString('latin1') : '';
}

/** The certificates of a PEM text; undefined if there is none, or anything else. */
function certificatesIn(text: string | undefined): X509Certificate[] | undefined {
  if (text === undefined || text.replaceAll(blocks, '').trim() !== '') return undefined;
  try {
    return text.match(blocks)?.map((pem) => new X509Certificate(pem));
  } catch {
    // The bytes come from a peer: every way in which they cannot be read has the same answer.
    return undefined;
  }
}

function readCertificate(
  certificate: X509Certificate,
  privateKey: KeyObject,
): ClientCertificate | undefined {
  const notBeforeMs = Date.parse(certificate.validFrom);
  const notAfterMs = Date.parse(certificate.validTo);
  if (Number.isNaN(notBeforeMs) || Number.isNaN(notAfterMs)) return undefined;
  return {
    subject: (certificate.subject ?? '').split('\n').filter(Boolean),
    isOfOurKey: isOf(certificate, privateKey),
    notBeforeMs,
    notAfterMs,
  };
}

/** A key of another type, or one that OpenSSL does not know, is not ours. */
function isOf(certificate: X509Certificate, privateKey: KeyObject): boolean {
  try {
    return certificate.checkPrivateKey(privateKey);
  } catch {
    return false;
  }
}
