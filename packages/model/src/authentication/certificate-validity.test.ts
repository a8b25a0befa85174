import { expect, test } from 'vitest';
import { validityChangesInMs, validityProblem } from './certificate-validity.ts';
import type { ClientCertificate } from './judge-auth-params.ts';

const hour = 60 * 60_000;
const now = Date.UTC(2026, 0, 1);

function valid(fromMs: number, toMs: number): ClientCertificate {
  return { subject: [], isOfOurKey: true, notBeforeMs: now + fromMs, notAfterMs: now + toMs };
}

test.each([
  ['in its life', valid(-hour, hour), undefined, hour],
  ['past its life', valid(-2 * hour, -1), 'CertificateExpired', undefined],
  ['at its end', valid(-hour, 0), 'CertificateExpired', undefined],
  ['before its life', valid(hour, 2 * hour), 'CertificateNotYetValid', hour - 5 * 60_000],
  ['within the skew of two clocks', valid(60_000, 2 * hour), undefined, 2 * hour],
])(
  'validityProblem() and validityChangesInMs() of a certificate %s',
  (_, found, reason, change) => {
    expect(validityProblem(found, now)?.reason).toBe(reason);
    expect(validityChangesInMs(found, now)).toBe(change);
  },
);
