import { formatTime } from '@liqo/kube';
import type { ClientCertificate, CredentialProblem } from './judge-auth-params.ts';

/** Clocks of two clusters differ: signers date certificates back by this much. */
const clockSkewMs = 5 * 60_000;

/** Whether a certificate can be used now, as far as its dates and the clock of this cluster say. */
export function validityProblem(
  { notBeforeMs, notAfterMs }: ClientCertificate,
  nowMs: number,
): CredentialProblem<'CertificateExpired' | 'CertificateNotYetValid'> | undefined {
  if (notAfterMs <= nowMs) {
    const message = `The certificate expired at ${formatTime(notAfterMs)}: the provider has to issue a new one`;
    return { reason: 'CertificateExpired', message };
  }
  if (notBeforeMs > nowMs + clockSkewMs) {
    const message = `The certificate is valid from ${formatTime(notBeforeMs)} on: compare the clocks of the two clusters`;
    return { reason: 'CertificateNotYetValid', message };
  }
  return undefined;
}

/** How long it takes until the answer may be another one; undefined once the certificate has expired. */
export function validityChangesInMs(
  { notBeforeMs, notAfterMs }: ClientCertificate,
  nowMs: number,
): number | undefined {
  const moments = [notBeforeMs - clockSkewMs, notAfterMs].filter((moment) => moment > nowMs);
  return moments.length > 0 ? Math.min(...moments) - nowMs : undefined;
}

/**
 * Whether a certificate takes the place of the one in use: it was issued later, and is valid now. A later end is no
 * condition: a provider may shorten the life of its certificates.
 */
export function isNewer(
  next: ClientCertificate,
  current: ClientCertificate | undefined,
  nowMs: number,
): boolean {
  if (validityProblem(next, nowMs)) return false;
  if (!current || validityProblem(current, nowMs)?.reason === 'CertificateExpired') return true;
  return next.notBeforeMs > current.notBeforeMs;
}
