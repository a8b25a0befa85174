import { type CertificateParts, forgeCertificate, forgeServerUsage } from './forge-certificate.ts';
import { forgeSubjectAltName } from './forge-certificate-request.ts';

export interface SelfSignedParts extends CertificateParts {
  /** The IP addresses of the server. */
  readonly addresses: readonly string[];
}

/** A serving certificate that is its own authority, as PEM. */
export function forgeSelfSigned({ addresses, ...parts }: SelfSignedParts): string {
  return forgeCertificate(parts, parts, [
    ...forgeServerUsage(),
    forgeSubjectAltName({ addresses }),
  ]);
}
