import { readCertificateRequest } from '@liqo/kube/x509';
import type { CertificateContent } from '@liqo/model';

/** What a CertificateSigningRequest asks for; undefined when its `spec.request` cannot be read, or is not signed with its key. */
export function parseSigningRequest(encoded: string): CertificateContent | undefined {
  const content = readCertificateRequest(Buffer.from(encoded, 'base64').toString('latin1'));
  return content?.hasValidSignature ? content : undefined;
}
