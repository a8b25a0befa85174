// Node 20 leaves tls without createSecureContext when toLegacyObject() is the first to load a part of it.
import 'node:tls';
import type { X509Certificate } from 'node:crypto';
import type { Caller } from './caller.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';

/** Who a client certificate says its owner is, or why it is not believed. */
export type CertificateVerdict = { readonly caller: Caller } | { readonly fault: string };

/**
 * The TLS handshake has proved that the peer has the key; everything else is checked here, at every request: an authority
 * that was replaced, or a certificate that ran out, ends what a kept connection may do. The certificate must come from
 * one of the authorities themselves: Kubernetes' signers put nobody in between.
 */
export function judgeCertificate(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
  nowMs: number,
): CertificateVerdict {
  const issuer = authorities.find((authority) => isIssuedBy(certificate, authority));
  if (!issuer) return { fault: 'it was not issued by the client CA of this cluster' };
  if (!isValidAt(issuer, nowMs)) return { fault: 'its authority is not valid at this time' };
  if (!isValidAt(certificate, nowMs)) return { fault: 'it is not valid at this time' };
  if (!isForClients(certificate)) return { fault: 'it is not for clients' };
  const { commonNames, organizations } = subjectOf(certificate);
  const [name, ...others] = commonNames;
  if (!name || others.length > 0) return { fault: 'it does not have exactly one common name' };
  const extra = { [credentialId]: [`X509SHA256=${fingerprintOf(certificate)}`] };
  return { caller: { name, groups: withAuthenticated(organizations), extra } };
}

/** As API servers do for everybody who proved who they are. */
function withAuthenticated(groups: readonly string[]): readonly string[] {
  const everybody = 'system:authenticated';
  return groups.includes(everybody) ? groups : [...groups, everybody];
}

const credentialId = 'authentication.kubernetes.io/credential-id';

function fingerprintOf({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(':', '').toLowerCase();
}

function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return (
    authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
  );
}

function isValidAt({ validFrom, validTo }: X509Certificate, nowMs: number): boolean {
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
}

/** Node calls the extended usages `keyUsage`. A certificate without any is for everything. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  return !keyUsage || keyUsage.includes(clientAuth);
}

function subjectOf(certificate: X509Certificate) {
  const { subject } = certificate.toLegacyObject();
  return { commonNames: textsOf(subject?.CN), organizations: textsOf(subject?.O) };
}

/** One, several as a list, or none. */
function textsOf(attribute: unknown): readonly string[] {
  return attribute === undefined ? [] : [attribute].flat().map(String);
}
