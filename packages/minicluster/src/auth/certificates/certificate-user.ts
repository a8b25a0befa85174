import { createHash, type X509Certificate } from 'node:crypto';
import { credentialIdKey, type User } from '../user.ts';
import type { ClusterAuthority } from './cluster-authority.ts';
import { childrenOf, contextTag, decode, expectTag, tags } from './der.ts';
import {
  commonNameOf,
  type DistinguishedName,
  decodeName,
  organizationsOf,
} from './distinguished-name.ts';
import { extendedKeyUsageIds } from './extensions.ts';

/**
 * The user that a client certificate makes its owner, or undefined when it makes them nobody: it is not from this
 * authority, not valid at this time, not for clients, or has no common name. The TLS handshake has proved that the
 * peer has the key; everything else is checked here, so that it follows the clock of the cluster.
 */
export function userOfCertificate(
  certificate: X509Certificate,
  authority: ClusterAuthority,
  nowMs: number,
): User | undefined {
  const { parsed } = authority;
  const isIssued = certificate.checkIssued(parsed) && certificate.verify(parsed.publicKey);
  if (!isIssued || !isValidAt(certificate, nowMs) || !isForClients(certificate)) return undefined;
  const subject = subjectOf(certificate);
  const name = commonNameOf(subject);
  if (!name) return undefined;
  const fingerprint = createHash('sha256').update(certificate.raw).digest('hex');
  const extra = { [credentialIdKey]: [`X509SHA256=${fingerprint}`] };
  return { name, groups: organizationsOf(subject), extra };
}

function isValidAt({ validFrom, validTo }: X509Certificate, nowMs: number): boolean {
  return Date.parse(validFrom) <= nowMs && nowMs <= Date.parse(validTo);
}

/** Node calls the extended usages `keyUsage`. A certificate without any is for everything. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  return !keyUsage || keyUsage.includes(extendedKeyUsageIds['client auth']);
}

function subjectOf({ raw }: X509Certificate): DistinguishedName {
  const [toBeSigned] = childrenOf(decode(raw));
  const fields = childrenOf(expectTag(toBeSigned, tags.sequence));
  const hasVersion = fields[0]?.tag === contextTag(0, true);
  return decodeName(fields[hasVersion ? 5 : 4]);
}
