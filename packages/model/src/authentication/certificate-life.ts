import { isSubject } from './judge-identity-request.ts';
import type { IdentitySubject } from './subjects.ts';

/** A client certificate, as it was read. */
export interface IssuedCertificate {
  readonly subject: readonly (readonly string[])[];
  /** Whether its key is that of the request. */
  readonly hasExpectedKey: boolean;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/** Why a certificate is of no use to the consumer now; undefined if it can be handed over. */
export function judgeCertificate(
  certificate: IssuedCertificate | undefined,
  subject: IdentitySubject,
  nowMs: number,
): string | undefined {
  if (!certificate) return 'the certificate cannot be read';
  if (!isSubject(certificate.subject, subject)) return 'the certificate has another subject';
  if (!certificate.hasExpectedKey) return 'the certificate has another key';
  return certificate.notAfterMs <= nowMs ? 'the certificate has expired' : undefined;
}

/** Until two thirds of the life of a certificate are over; negative from then on. */
export function renewalDueInMs(
  { notBeforeMs, notAfterMs }: Pick<IssuedCertificate, 'notAfterMs' | 'notBeforeMs'>,
  nowMs: number,
): number {
  return notBeforeMs + ((notAfterMs - notBeforeMs) * 2) / 3 - nowMs;
}
