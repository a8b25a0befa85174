import { X509Certificate } from 'node:crypto';
import type { Identity } from '@liqo/api';
import { formatTime } from '@liqo/kube';

/** Until when the certificate of an identity is valid. */
export interface CertificateInfo {
  readonly identity: string;
  readonly expires: string;
}

/** Nothing for an Identity without a certificate that can be read: its condition says why. */
export function describeCertificate({ metadata, spec }: Identity): readonly CertificateInfo[] {
  try {
    const pem = Buffer.from(spec.authParams?.signedCRT ?? '', 'base64');
    const expiresMs = Date.parse(new X509Certificate(pem).validTo);
    return [{ identity: metadata?.name ?? '', expires: formatTime(expiresMs) }];
  } catch {
    return [];
  }
}

/** The first one to expire. */
export function firstToExpire(certificates: readonly CertificateInfo[]): string | undefined {
  return certificates.map(({ expires }) => expires).toSorted()[0];
}
