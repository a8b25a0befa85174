import {
  type CertificateParts,
  forgeAuthorityUsage,
  forgeCertificate,
  forgeServerUsage,
  type Issuer,
} from './forge-certificate.ts';
import { forgeSubjectAltName } from './forge-certificate-request.ts';

/** The certificate of an authority that issues certificates to servers, as PEM. */
export function forgeAuthority(parts: CertificateParts): string {
  return forgeCertificate(parts, parts, forgeAuthorityUsage());
}

export interface IssuedParts extends CertificateParts {
  readonly issuer: Issuer;
  /** The host names of the server. */
  readonly dnsNames: readonly string[];
}

/** A serving certificate of an authority, as PEM. */
export function forgeIssued({ issuer, dnsNames, ...parts }: IssuedParts): string {
  return forgeCertificate(parts, issuer, [
    ...forgeServerUsage(),
    forgeSubjectAltName({ dnsNames }),
  ]);
}
